// SPDX-License-Identifier: BSD-3-Clause
// linux: Exceptions through frames with destructors, virtual calls, casts, and static objects.
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

static int alive;
struct Guard {
    Guard()
    {
        alive++;
    }
    ~Guard()
    {
        alive--;
    }
};
struct Base {
    virtual ~Base() = default;
    virtual int value() const
    {
        return 1;
    }
};
struct Derived : Base {
    int value() const override
    {
        return 2;
    }
};
struct Last {
    ~Last()
    {
        std::printf("last, %d alive\n", alive);
    }
} last;

static int thrown(int depth, int kind)
{
    Guard here;
    std::string text(50, 'a');
    if (depth)
        return thrown(depth - 1, kind) + (int)text.size();
    switch (kind) {
    case 0:
        throw std::runtime_error("runtime");
    case 1:
        throw 42;
    case 2:
        throw Derived();
    case 3:
        return std::vector<int>(3).at(5);
    case 4:
        return (int)(dynamic_cast<const Derived &>(static_cast<const Base &>(Base())).value());
    default:
        return 0;
    }
}

static std::string caught(int kind)
{
    try {
        return "returned " + std::to_string(thrown(20, kind));
    } catch (const std::out_of_range &) {
        return "out of range";
    } catch (const std::bad_cast &) {
        return "bad cast";
    } catch (const std::exception &e) {
        return e.what();
    } catch (int i) {
        return std::to_string(i);
    } catch (const Base &b) {
        return "object " + std::to_string(b.value());
    }
}

int main()
{
    for (int kind = 0; kind < 6; kind++)
        std::printf("%d: %s, %d alive\n", kind, caught(kind).c_str(), alive);
    int rounds = 0;
    for (int i = 0; i < 200; i++)
        try {
            thrown(i % 7, i % 5);
        } catch (...) {
            rounds++;
        }
    std::printf("%d\n", rounds);
    return 9;
}
