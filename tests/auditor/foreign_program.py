"""A verifier as a program of its own: the token rule in plain Python on JSON lines. The argument chooses how it goes wrong."""

import json
import sys
import time


def residual_of(target: list[float], draft: list[float]) -> list[float]:
    residual = [max(t - d, 0.0) for t, d in zip(target, draft, strict=True)]
    mass = sum(residual)
    return [r / mass for r in residual] if mass > 0 else target


def decide(
    tokens: list[int], draft: list[list[float]], target: list[list[float]], uniforms: list[float]
) -> tuple[int, list[float]]:
    for i, token in enumerate(tokens):
        if not uniforms[i] * draft[i][token] < target[i][token]:
            return i, residual_of(target[i], draft[i])
    return len(tokens), target[len(tokens)]


def pick(law: list[float], uniform: float) -> int:
    total, chosen = 0.0, 0
    for token, probability in enumerate(law):
        if probability > 0:
            total, chosen = total + probability, token
            if uniform < total:
                break
    return chosen


def main(mode: str) -> None:
    for line in sys.stdin:
        question = json.loads(line)
        accepted, law = decide(*(question[key] for key in ("tokens", "draft", "target", "uniforms")))
        answer = {"id": question["id"], "accepted": accepted}
        if "nulls" in mode:  # as serialisers write the fields of a record that are not set
            answer |= {"next_token": None, "law": None, "error": None, "memory": None}
        if mode.startswith("law"):
            answer["law"] = law
        elif mode == "from_target":
            answer["next_token"] = pick(question["target"][accepted], question["uniforms"][-1])
        else:
            answer["next_token"] = pick(law, question["uniforms"][-1])
        if mode == "silent":
            time.sleep(60)
        elif mode == "garbage":
            print("accepted 3 tokens", flush=True)
        elif mode == "ends":
            sys.exit("out of memory")
        elif mode == "other_id":
            answer["id"] += 1000
        elif mode == "error" and question["tokens"] == []:
            answer = {"id": question["id"], "error": "empty block"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "right")
