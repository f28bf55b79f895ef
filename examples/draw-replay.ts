import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Draws `docs/replay.svg`, the picture of the README, from what `npm run bench:replay` prints: the size of
 * every request of the replayed sample, and the table that the replay ends with.
 */
const root = join(import.meta.dirname, '..')
const replay = [
  'bench/replay/run.ts',
  'examples/sample-session.jsonl',
  '--window',
  '32k',
  '--quiet',
]

interface Replayed {
  window: { usable: number }
  requests: number[]
  compactions: { step: number; before: number; after: number }[]
}

function throughline(...flags: string[]): string {
  return execFileSync(process.execPath, ['--no-warnings', ...replay, '--no-config', ...flags], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

const data = JSON.parse(throughline('--json')) as Replayed
const shown = /^(?:compactions|tokens sent|largest request|kept at the end) /
const table = throughline()
  .split('\n')
  .filter((line) => shown.test(line))

const plot = { left: 70, top: 62, width: 830, height: 210 }
const most = data.window.usable * 1.15
const x = (step: number): number => plot.left + (plot.width * step) / data.requests.length
const y = (tokens: number): number => plot.top + plot.height * (1 - tokens / most)

function path(): string {
  const points: string[] = []
  for (const [index, tokens] of data.requests.entries()) {
    const compaction = data.compactions.find(({ step }) => step === index + 1)
    // What would have been too large was never sent.
    if (compaction) points.push(point(index + 1, data.requests[index - 1] ?? tokens))
    points.push(point(index + 1, tokens))
  }
  return `M${points.join('L')}`
}

function point(step: number, tokens: number): string {
  return `${x(step).toFixed(1)},${y(tokens).toFixed(1)}`
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const line = y(data.window.usable)
// Seconds: the picture is drawn step by step, and stays.
const lasts = 12
const delay = (step: number): string =>
  `style="animation-delay:${((lasts * step) / data.requests.length).toFixed(2)}s"`
const marks = data.compactions.map(
  ({ step }) =>
    `<circle class="late" ${delay(step)} cx="${x(step).toFixed(1)}" cy="${(line - 9).toFixed(1)}" r="3"/>`,
)
const wall = data.compactions[0]?.step ?? data.requests.length
const rows = table.map(
  (row, index) =>
    `<text class="late" ${delay(data.requests.length)} x="${plot.left}" y="${330 + index * 21}" xml:space="preserve">${escape(row)}</text>`,
)

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 940 420" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" role="img" aria-label="The context of the sample session in a window of 32,000 tokens: it grows, is compacted, and grows again">
<style>
  text { fill: #1f2328 } .faint { fill: #59636e } .ground { fill: #ffffff; stroke: #d1d9e0 }
  .base { stroke: #d1d9e0 } .limit { stroke: #cf222e } .mark { fill: #cf222e }
  .context { stroke: #0969da; fill: none }
  .drawn { animation: draw ${lasts}s linear; transform-origin: ${plot.left}px 0 }
  .late { animation: appear .4s backwards }
  @keyframes draw { from { transform: scaleX(0) } }
  @keyframes appear { from { opacity: 0 } }
  @media (prefers-reduced-motion: reduce) { .drawn, .late { animation: none } }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .faint { fill: #9198a1 } .ground { fill: #0d1117; stroke: #3d444d }
    .base { stroke: #3d444d } .limit { stroke: #f85149 } .mark { fill: #f85149 }
    .context { stroke: #4493f8 }
  }
</style>
<rect x="1" y="1" width="938" height="418" rx="8" class="ground"/>
<text x="24" y="34"><tspan class="faint">$ </tspan>npm run bench:replay -- examples/sample-session.jsonl --window 32k</text>
<line x1="${plot.left}" x2="${plot.left + plot.width}" y1="${line}" y2="${line}" class="limit" stroke-dasharray="5 4"/>
<text x="${plot.left - 8}" y="${line + 5}" text-anchor="end" class="faint">${data.window.usable / 1000}k</text>
<text x="${plot.left - 8}" y="${y(0) + 5}" text-anchor="end" class="faint">0</text>
<line x1="${plot.left}" x2="${plot.left + plot.width}" y1="${y(0)}" y2="${y(0)}" class="base"/>
<clipPath id="until"><rect class="drawn" x="${plot.left}" y="0" width="${plot.width + 3}" height="420"/></clipPath>
<path d="${path()}" clip-path="url(#until)" class="context" stroke-width="2" stroke-linejoin="round"/>
<g class="mark">${marks.join('')}</g>
<text class="late mark" ${delay(wall)} x="${x(wall).toFixed(1)}" y="${(line - 19).toFixed(1)}" text-anchor="middle">here it stops alone</text>
<text x="${plot.left}" y="${y(0) + 20}" class="faint">step 1</text>
<text x="${plot.left + plot.width}" y="${y(0) + 20}" text-anchor="end" class="faint">step ${data.requests.length}</text>
${rows.join('\n')}
</svg>
`
writeFileSync(join(root, 'docs/replay.svg'), svg)
console.log(
  `docs/replay.svg shows ${data.requests.length} requests and ${data.compactions.length} compactions.`,
)
