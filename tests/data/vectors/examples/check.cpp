// The token and the block rule in C++17, run over small.txt.   c++ -std=c++17 check.cpp -o check && ./check < ../small.txt
// Exit status 0: every vector passes, 1: some fail. Vectors decided by less than TOLERANCE are skipped and counted.
#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using Law = std::vector<double>;

constexpr double TOLERANCE = 1e-9;

struct Vector {
    std::string name, rule, tags, kills;
    std::vector<int> tokens;
    std::vector<Law> draft, target;
    Law uniforms;
    int accepted = 0, next_token = 0;
    double margin = 0, condition = 0;
};

int draw(const Law& law, double uniform) {
    double cumulative = 0;
    int last = 0;
    for (int v = 0; v < static_cast<int>(law.size()); ++v) {
        cumulative += law[v];
        if (cumulative > uniform) return v;
        if (law[v] > 0) last = v;
    }
    return last;
}

double residual(double scale, const Law& target, const Law& draft, Law& left) {
    double mass = 0;
    left.assign(target.size(), 0);
    for (size_t v = 0; v < target.size(); ++v) mass += left[v] = std::max(0.0, scale * target[v] - draft[v]);
    return mass;
}

int next_token(int accepted, double scale, const Vector& in) {
    const Law& target = in.target[accepted];
    if (accepted == static_cast<int>(in.tokens.size())) return draw(target, in.uniforms.back());
    Law left;
    const double mass = residual(scale, target, in.draft[accepted], left);
    if (mass <= 0) return draw(target, in.uniforms.back());
    for (double& part : left) part /= mass;
    return draw(left, in.uniforms.back());
}

std::pair<int, int> token(const Vector& in) {
    int accepted = 0;
    for (const int x : in.tokens) {
        if (!(in.uniforms[accepted] < std::min(1.0, in.target[accepted][x] / in.draft[accepted][x]))) break;
        ++accepted;
    }
    return {accepted, next_token(accepted, 1.0, in)};
}

std::pair<int, int> block(const Vector& in) {
    const int gamma = static_cast<int>(in.tokens.size());
    Law weight{1.0}, left;
    int accepted = 0;
    for (int i = 1; i <= gamma; ++i) {
        const int x = in.tokens[i - 1];
        weight.push_back(std::min(1.0, weight[i - 1] * in.target[i - 1][x] / in.draft[i - 1][x]));
        double coin = weight[i];
        if (i < gamma) {
            const double gain = residual(weight[i], in.target[i], in.draft[i], left);
            const double below = gain + (1 - weight[i]);
            coin = below > 0 ? gain / below : 1.0;
        }
        if (in.uniforms[i - 1] < coin) accepted = i;
    }
    return {accepted, next_token(accepted, weight[accepted], in)};
}

template <class T> std::vector<T> values(std::istringstream& line) {
    std::vector<T> read;
    for (T value; line >> value;) read.push_back(value);
    return read;
}

int main() {
    std::map<std::string, std::pair<int, int>> counts;  // rule → ran, skipped
    int failures = 0;
    Vector in;
    for (std::string text, keyword; std::getline(std::cin, text);) {
        std::istringstream line(text);
        line >> keyword;
        if (keyword == "vector") {
            in = Vector();
            line >> in.name >> in.rule;
        } else if (keyword == "tokens") {
            in.tokens = values<int>(line);
        } else if (keyword == "draft") {
            in.draft.push_back(values<double>(line));
        } else if (keyword == "target") {
            in.target.push_back(values<double>(line));
        } else if (keyword == "uniforms") {
            in.uniforms = values<double>(line);
        } else if (keyword == "accepted") {
            line >> in.accepted;
        } else if (keyword == "next_token") {
            line >> in.next_token;
        } else if (keyword == "margin") {
            line >> in.margin;
        } else if (keyword == "condition") {
            line >> in.condition;
        } else if (keyword == "tags") {
            std::getline(line, in.tags);
        } else if (keyword == "kills") {
            std::getline(line, in.kills);
        } else if (keyword == "end" && (in.rule == "token" || in.rule == "block")) {
            if (in.margin * in.condition < TOLERANCE) {
                ++counts[in.rule].second;
                continue;
            }
            ++counts[in.rule].first;
            const std::pair<int, int> got = in.rule == "token" ? token(in) : block(in);
            if (got != std::make_pair(in.accepted, in.next_token)) {
                ++failures;
                std::cout << in.name << ": (τ, Y) = (" << got.first << "," << got.second << "), not (" << in.accepted << ","
                          << in.next_token << ") [" << in.tags << " ] finds" << in.kills << "\n";
            }
        }
    }
    for (const auto& [rule, count] : counts) std::cout << "small.txt " << rule << " ran " << count.first << " skipped " << count.second << "\n";
    std::cout << (failures ? "failed " + std::to_string(failures) : "passed") << "\n";
    return failures ? 1 : 0;
}
