// SPDX-License-Identifier: BSD-3-Clause
// linux: Streams: standard input, strings, formats, complex numbers.
#include <complex>
#include <iomanip>
#include <iostream>
#include <random>
#include <sstream>

int main()
{
    std::string word;
    int words = 0;
    double sum = 0;
    while (std::cin >> word) {
        words++;
        std::istringstream in(word);
        double x;
        if (in >> x)
            sum += x;
    }
    std::cout << words << " words, sum " << std::setprecision(12) << sum << '\n';
    std::ostringstream out;
    out << std::hex << std::showbase << 255 << ' ' << std::oct << 8 << ' ' << std::dec << std::setw(8)
        << std::setfill('*') << 42 << ' ' << std::fixed << std::setprecision(3) << 3.14159 << ' '
        << std::boolalpha << true;
    std::cout << out.str() << '\n';
    std::complex<double> z(0.3, 0.5);
    for (int i = 0; i < 20; i++)
        z = z * z + std::complex<double>(-0.4, 0.6);
    std::cout << std::scientific << std::setprecision(15) << z << '\n';
    std::mt19937 draw(1);
    unsigned long total = 0;
    for (int i = 0; i < 2000; i++)
        total += draw();
    std::cout << total << std::endl;
    std::cerr << "done" << std::endl;
    return std::cout.good() ? 0 : 1;
}
