/** Colours are named once and have a value for each of light and dark. */
export const style = `
:root {
  --page: #ffffff; --ink: #1b1f24; --soft: #59636e; --grid: #d8dee4; --row: #f6f8fa;
  --ours: #0a58ca; --model: #6f42c1; --seeds: #bc4c00; --baseline: #6e7781;
  --summarizes: #0f766e; --trims: #8a6100; --recorded: #b3261e; --missed: #fff1e5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1117; --ink: #e6edf3; --soft: #9da7b3; --grid: #30363d; --row: #161b22;
    --ours: #58a6ff; --model: #c297ff; --seeds: #ff9d57; --baseline: #8b949e;
    --summarizes: #3fd0bf; --trims: #e3b341; --recorded: #ff8a80; --missed: #33240f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1060px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 26px; margin: 0 0 8px; }
h2 { font-size: 19px; margin: 32px 0 4px; }
.why { max-width: 72ch; font-size: 16px; }
details { border-top: 1px solid var(--grid); } details:last-of-type { border-bottom: 1px solid var(--grid); }
summary { cursor: pointer; padding: 10px 0; } summary h2 { display: inline; margin: 0; font-size: 17px; }
.chart { overflow-x: auto; } .chart svg { min-width: 720px; }
.note { color: var(--soft); margin: 0 0 14px; max-width: 82ch; }
svg { display: block; width: 100%; height: auto; }
.tick { fill: var(--soft); font-size: 11px; }
.label { fill: var(--ink); font-size: 12px; }
.end { text-anchor: end; } .middle { text-anchor: middle; }
.grid { stroke: var(--grid); stroke-width: 1; }
.line { stroke-width: 1.4; stroke-opacity: .55; } .line.thick { stroke-opacity: 1; }
.line.throughline { stroke-width: 2.6; stroke-opacity: 1; }
.line.baseline { stroke-dasharray: 5 4; stroke-opacity: 1; }
.throughline { --own: var(--ours); } .throughline-model { --own: var(--model); }
.seeds { --own: var(--seeds); } .baseline { --own: var(--baseline); }
.summarizes { --own: var(--summarizes); } .trims { --own: var(--trims); }
.recorded { --own: var(--recorded); }
.line { stroke: var(--own); } .dot, .bar { fill: var(--own); }
.dot { stroke: var(--page); stroke-width: 1; }
.bar.summaries { fill-opacity: .4; }
.mark { fill: var(--page); font-size: 10px; font-weight: 600; }
.legend { list-style: none; margin: 10px 0 20px; padding: 0; display: grid; gap: 4px 20px;
  grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); font-size: 13px; }
.legend li { display: flex; gap: 8px; align-items: center; }
.swatch { background: var(--own); color: var(--page); border-radius: 9px; min-width: 18px;
  height: 18px; font-size: 10px; font-weight: 600; text-align: center; line-height: 18px; flex: none; }
.multiples { display: grid; gap: 14px 20px; margin: 0 0 26px;
  grid-template-columns: repeat(auto-fill, minmax(290px, 1fr)); }
figure { margin: 0; } figcaption { display: flex; justify-content: space-between; gap: 8px;
  font-size: 12px; align-items: baseline; } figcaption span { color: var(--soft); white-space: nowrap; }
.scroll { overflow-x: auto; margin: 16px 0; }
/* Who a figure belongs to stays in sight when a wide table is scrolled. */
.scroll tr > :first-child { position: sticky; left: 0; background: var(--page); }
.scroll tbody tr:nth-child(even) > :first-child { background: var(--row); }
.scroll tbody tr.missed > :first-child { background: var(--missed); }
.scroll td:first-child { min-width: 190px; } .scroll .number { white-space: nowrap; }
.wrapped td:first-child { min-width: 0; overflow-wrap: anywhere; }
.wrapped .number { white-space: normal; } .plain td { min-width: 110px; }
@media (max-width: 600px) { main { padding: 20px 14px 40px; } th, td { padding: 5px 6px; }
  .scroll td:first-child { min-width: 110px; max-width: 130px; overflow-wrap: anywhere; } }
table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--soft); font-weight: 600; }
th, td { padding: 5px 10px; border-bottom: 1px solid var(--grid); vertical-align: top; }
tbody tr:nth-child(even) { background: var(--row); }
.number { text-align: right; } .plain .number { text-align: left; }
tr.missed { background: var(--missed) !important; }
`
