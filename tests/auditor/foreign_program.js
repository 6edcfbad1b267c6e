// The token rule as a program in JavaScript, on JSON lines.
"use strict";
const lines = require("node:readline").createInterface({ input: process.stdin });

const pick = (law, uniform) => {
  let total = 0;
  let chosen = 0;
  for (let token = 0; token < law.length; token++) {
    if (law[token] > 0) {
      total += law[token];
      chosen = token;
      if (uniform < total) break;
    }
  }
  return chosen;
};

const decide = ({ tokens, draft, target, uniforms }) => {
  for (let i = 0; i < tokens.length; i++) {
    const x = tokens[i];
    if (!(uniforms[i] * draft[i][x] < target[i][x])) {
      const residual = target[i].map((t, v) => Math.max(t - draft[i][v], 0));
      const mass = residual.reduce((a, b) => a + b, 0);
      return [i, mass > 0 ? residual.map((r) => r / mass) : target[i]];
    }
  }
  return [tokens.length, target[tokens.length]];
};

lines.on("line", (line) => {
  const question = JSON.parse(line);
  const [accepted, law] = decide(question);
  const next_token = pick(law, question.uniforms[question.uniforms.length - 1]);
  process.stdout.write(JSON.stringify({ id: question.id, accepted, next_token }) + "\n");
});
