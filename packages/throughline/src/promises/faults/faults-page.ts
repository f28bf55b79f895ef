import { doorNames, type DoorName } from './door-hosts.ts'
import { faults } from './faults.ts'
import { filesPerTurn } from './task.ts'
import { wires } from './wires.ts'
import {
  mostAnswersForASummary,
  mostRequestsForAnAnswer,
  mostRequestsForASummary,
} from './bounds.ts'
import type { Setting, Trial } from './trial.ts'
import type { Fault } from './fault.ts'

/** What happened to an agent, in figures that are the same each time. */
export interface Result {
  /** The error codes along the way and the end, as `STEP_FAILED, finished`. */
  outcome: string
  calls: number
  compactions: number
}

/** The results of one fault, each with the settings that gave it, or `all`. */
export interface Recorded {
  fault: string
  results: (Result & { settings: string })[]
}

export function resultOf({ outcome, requests, events }: Trial): Result {
  const compactions = events.filter(({ type }) => type === 'compaction-finished').length
  return { outcome: outcome.join(', '), calls: requests.length, compactions }
}

export function recordOf(
  fault: string,
  all: readonly { setting: Setting; result: Result }[],
): Recorded {
  const groups = Map.groupBy(all, ({ result }) => JSON.stringify(result))
  const results = [...groups].map(([result, group]) => ({
    ...(JSON.parse(result) as Result),
    settings: groups.size === 1 ? 'all' : group.map((one) => settingName(one.setting)).join('; '),
  }))
  return { fault, results }
}

/** The recorded result of a fault in a setting. */
export function recordedIn(
  records: readonly Recorded[],
  fault: string,
  setting: Setting,
): Result | undefined {
  const found = records
    .find((record) => record.fault === fault)
    ?.results.find(
      ({ settings }) => settings === 'all' || settings.split('; ').includes(settingName(setting)),
    )
  return found && { outcome: found.outcome, calls: found.calls, compactions: found.compactions }
}

/** `docs/faults.md` */
export function faultsPage({ runs: records, doors, clients, gateway }: PageRecords): string {
  const rows = records.map((record) => [
    record.fault,
    ...cells(records, record.fault, { auto: true }),
    ...cells(records, record.fault, { auto: false }),
  ])
  const heading = [
    'What the provider does',
    'automatic compaction',
    'calls',
    'compactions',
    'manual compaction',
    'calls',
    'compactions',
  ]
  const parts = [doorsPart(doors), clientsPart(clients), gatewayPart(gateway)]
  return `${introduction()}${table(heading, rows)}\n\n${parts.join('\n\n')}\n`
}

export interface PageRecords {
  runs: readonly Recorded[]
  doors: readonly DoorRecord[]
  clients: readonly OutsideRecord[]
  gateway: readonly OutsideRecord[]
}

/** What became of a fault behind the doors beside `run`. */
export interface DoorRecord {
  fault: string
  results: Partial<Record<DoorName, Result>>
}

function doorsPart(records: readonly DoorRecord[]): string {
  const rows = records.map(({ fault, results }) => [
    fault,
    ...doorNames.map((door) => {
      const result = results[door]
      return result
        ? `${outcomeText(result)}, ${result.calls} ${result.calls === 1 ? 'call' : 'calls'}`
        : '–'
    }),
  ])
  const heading = ['What the provider does', ...doorNames.map((door) => `\`${door}\``)]
  return `## Behind the other doors

The same agent, by the SDKs that people use: the AI SDK's own loop with \`aiSdkCompaction\`,
\`@anthropic-ai/sdk\` with \`openConversation\`, \`openai\` with \`openChat\` and \`openResponses\`,
LangChain's \`createAgent\` with \`compactionMiddleware\`, \`@openai/agents\` with \`agentsCompaction\`,
\`@google/genai\` with \`googleCompaction\`, Mastra's agents with \`mastraCompaction\`, and models of
LlamaIndex with \`llamaindexCompaction\`. The session compacts by itself, and answers
come whole. An overflow that nothing can cure is our own error with a \`code\`; all others come as the
SDK threw them, here by the name of their class, and the host tries each turn twice more. Rows that
depend on the SDK's own patience, or on a session from before, have no run here (–).

${table(heading, rows)}`
}

/** What became of a fault where no agent was built with the library, column by column. */
interface OutsideRecord {
  fault: string
  /** Each with the result in every setting. */
  results: Readonly<Record<string, readonly OutsideResult[]>>
}

export interface OutsideResult {
  /** The same as in {@link Result}; missing where the agent itself meets no fault. */
  outcome?: string
  calls: number
  /** Who wrote the summary; missing where there was none. */
  by?: 'model' | 'code' | 'client'
}

/** A table of them: a column for each key of the results. */
function outsideTable(records: readonly OutsideRecord[]): string {
  const columns = [...new Set(records.flatMap(({ results }) => Object.keys(results)))]
  const rows = records.map(({ fault, results }) => [
    fault,
    ...columns.map((column) => outsideCell(results[column] ?? [])),
  ])
  return table(['What the provider does', ...columns], rows)
}

const authors = { model: 'by the model', code: 'by code', client: 'by the client' }

/** `finished, by code, 9 calls` */
function outsideCell(results: readonly OutsideResult[]): string {
  if (results.length === 0) return '–'
  const said = results.map(({ outcome, by }) =>
    [
      ...(outcome === undefined ? [] : [outcomeText({ outcome })]),
      ...(by === undefined ? [] : [authors[by]]),
    ].join(', '),
  )
  const calls = range(results.map((one) => one.calls))
  return `${[...new Set(said)].join('; ')}, ${calls} ${calls === '1' ? 'call' : 'calls'}`
}

function clientsPart(records: readonly OutsideRecord[]): string {
  return `## Inside clients

What our plugins do where the model fails that writes a client's summaries. Each runs as it is, in a
client that is played by the test and that asks a model over HTTP as the client does; the models'
answers are those of the rows above. opencode is asked in a hidden session before a request, and by the
request that it makes for its own compaction. Code writes the summary wherever the model does
not, the human's rule stands in it, and a line says why, in the client's record and, in opencode and
pi, on the screen. What is refused however often it is asked is asked for once, also where opencode has
asked for it itself. OpenClaw says only that its model failed, so there every error is asked once. A
client waits no longer than \`patience\` (90 s; Claude Code, which asks again by itself, 180 s). In
opencode 2, no model is asked; Codex and Qwen Code write their summaries themselves. The rows of the
agent's own requests have no run here: the client makes those without us.

${outsideTable(records)}`
}

function gatewayPart(records: readonly OutsideRecord[]): string {
  return `## In the gateway

A client without any compaction of its own, behind the gateway, over each of the APIs, streamed and
not. It sends eight requests; the sixth and those after it do not fit. It sends each twice more if it
gets an error, and gives up an answer that does not come. A cell says what it got first (a status, or an
answer that broke off), and how it ended. Where the model thinks, the client is the AI SDK, and it sends
each thought back as it came. Every error that no compaction cures is passed on as it came. A silent model
is given up after \`summaryTimeout\`. The line at the end of \`throughline run\` and \`serve\` says how many
summaries code wrote, and why.

${outsideTable(records)}`
}

/** A table with its columns under each other, as the formatter has them. */
function table(heading: readonly string[], rows: readonly string[][]): string {
  const widths = heading.map((name, column) =>
    Math.max(name.length, ...rows.map((cells) => (cells[column] ?? '').length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [heading, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n')
}

function cells(
  records: readonly Recorded[],
  fault: string,
  { auto }: Pick<Setting, 'auto'>,
): string[] {
  const results = settingsOf(faults.find(({ name }) => name === fault) ?? {})
    .filter((setting) => setting.auto === auto)
    .flatMap((setting) => recordedIn(records, fault, setting) ?? [])
  return [
    [...new Set(results.map(outcomeText))].join('; '),
    range(results.map(({ calls }) => calls)),
    range(results.map(({ compactions }) => compactions)),
  ]
}

/** `` `STEP_FAILED` twice, then finished `` */
function outcomeText({ outcome: all }: Pick<Result, 'outcome'>): string {
  const outcome = all.split(', ')
  const errors = outcome.filter((one) => one !== 'finished')
  const times = new Map<string, number>()
  for (const code of errors) times.set(code, (times.get(code) ?? 0) + 1)
  const said = [...times].map(([code, count]) => `\`${code}\`${timesText(count)}`)
  if (errors.length < outcome.length) said.push('finished')
  return said.join(', then ')
}

function timesText(count: number): string {
  return count === 1 ? '' : count === 2 ? ' twice' : ` ${count} times`
}

function range(figures: readonly number[]): string {
  const least = Math.min(...figures)
  const most = Math.max(...figures)
  return least === most ? `${least}` : `${least}–${most}`
}

function introduction(): string {
  const files = ['no', 'two', 'four', 'six', 'eight'][filesPerTurn]
  return `# Faults

For those who want to know what happens to an agent when its provider fails. This table records a test run: \`UPDATE_DOCS=1 npx
vitest run packages/throughline/src/promises/faults\` regenerates it, and the test fails if the
results differ.

An agent with a tool reads ${files} files in two turns, and they do not fit its window.
Its provider is a server on loopback (\`throughline/testing/provider\`) that has the fault of the row,
and refuses every request whose calls and results do not belong together. Each of the ${faults.length} rows is
run in ${settingsOf({}).length} settings: over ${wires.length} APIs (Chat Completions, Responses, Anthropic Messages and
Gemini, through the AI SDK's packages), streamed and not, and with a session that compacts by itself
or only by hand: then the host compacts between the turns. Thinking is bound, and demanded, by Anthropic alone.
\`npm test\` runs each row over one of the APIs, \`npm run test:full\` over all.

The agent either finishes its task or stops with an error that has a \`code\` and says what to do. The
test's host follows that advice at most twice per turn. After a \`STEP_FAILED\` that is \`retryable\`, it
runs the session again. After an answer that was cut off (\`length\`), it asks again. After an
\`OVERFLOW\` with manual compaction, it compacts. After every run, the session's messages are valid, no
request was rejected as invalid, except the few by which the session learns that a provider
binds or demands thinking.

A tool call, a refusal, and an answer that is empty, filtered or broken are no summary: code writes
one instead, and none of their words reach the context. Nor does what a model thinks before a summary
or says around it. A summary that is partial, cut off or too long is taken: code completes or
shortens it. Each summary has all five sections and the human's rule, and marks files that were never
seen.

The number of calls is bounded, whatever the provider does. Each time the model is asked, there are at
most ${mostRequestsForAnAnswer} requests: the first one and the AI SDK's retries (\`maxRetries\`, 2 by default; they respect
\`retry-after\`). A step asks the model at most twice, the second time after a compaction. A compaction
makes at most ${mostRequestsForASummary} requests: four attempts at a summary if no answer comes, each with its retries.
After an answer that cannot be used it asks once more, and tells the model what is wrong: at most
${mostAnswersForASummary} answers. What a provider refuses however often it is asked (400, 401, 403, 404, a certificate that
nobody vouches for) is asked for once; what is too long is asked for again in half its size. All
attempts of a compaction have one time limit (\`summaryTimeout\`), and who is silent is not asked again. What
a provider said is kept as one line, without pages, and without what looks like a key.

The columns "calls" count all requests to the provider, including those for summaries. If the settings
differ, a cell shows the lowest and the highest number. Preparing summaries in the background is off
in this table, because the number of requests would then depend on timing. The same faults are also
tested with it on.

`
}

export function settingsOf({ wires: some = wires }: Pick<Fault, 'wires'>): Setting[] {
  return some.flatMap((wire) =>
    [true, false].flatMap((auto) => [true, false].map((streams) => ({ wire, auto, streams }))),
  )
}

/** `anthropic, by itself, streamed` */
export function settingName({ wire, auto, streams }: Setting): string {
  return `${wire}, ${auto ? 'by itself' : 'by hand'}, ${streams ? 'streamed' : 'whole'}`
}
