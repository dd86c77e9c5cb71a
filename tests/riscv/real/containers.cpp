// SPDX-License-Identifier: BSD-3-Clause
// linux: Containers and algorithms of the C++ library.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

int main()
{
    std::map<std::string, int> words;
    std::unordered_map<int, std::vector<int>> rests;
    std::deque<int> line;
    std::multiset<int> bag;
    unsigned seed = 7;
    for (int i = 0; i < 3000; i++) {
        seed = seed * 1103515245 + 12345;
        int value = seed >> 16 & 1023;
        words["w" + std::to_string(value % 50)]++;
        rests[value % 17].push_back(value);
        i % 3 ? line.push_back(value) : line.push_front(value);
        bag.insert(value);
        if (bag.size() > 100)
            bag.erase(bag.begin());
    }
    long sum = 0;
    for (int r = 0; r < 17; r++)
        sum = sum * 31 + std::accumulate(rests[r].begin(), rests[r].end(), 0L);
    std::vector<int> sorted(line.begin(), line.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](int a, int b) { return a % 10 < b % 10; });
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    auto shared = std::make_shared<std::string>(1000, 'x');
    std::weak_ptr<std::string> weak = shared;
    for (const auto &w : words)
        std::printf("%s=%d ", w.first.c_str(), w.second);
    std::printf("\n%ld %zu %d %d %zu\n", sum, sorted.size(), *bag.begin(), *bag.rbegin(),
                weak.lock()->size());
    return 0;
}
