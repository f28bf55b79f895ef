import { recordTable, type Recorded } from '../../recorded-table.ts'
import { columns, type Verdict } from './compare.ts'
import type { SummaryModel } from './agent.ts'

export interface Row {
  /** With its version. */
  client: string
  verdict: Verdict
}

const page = 'docs/inside-clients.md'

/** Writes the rows of whole lives with a model that forgets, and their short form. */
export async function record(rows: readonly Row[]): Promise<void> {
  const all = await recordTable(page, 'test:clients:long -- --record', wholeTable(rows))
  await recordTable('README.md', 'test:clients:long -- --record', shortTable(all.rows))
}

/** Writes what happened with a model of another kind. */
export async function recordKind(
  { model, steps }: { model: SummaryModel; steps: number },
  rows: readonly Row[],
): Promise<void> {
  await recordTable(page, 'test:clients:long -- --model KIND --prompts 3 --record', {
    head: ['client', `${model}, ${steps} steps`],
    rows: rows.map(({ client, verdict }) => [client, verdict.inShort]),
  })
}

export function wholeTable(rows: readonly Row[]): Recorded {
  return {
    head: ['client', ...columns.map(({ head }) => head)],
    rows: rows.map(({ client, verdict }) => [client, ...verdict.cells]),
  }
}

/** The clients in which Throughline itself compacts or completes a summary. */
const insideOf: ReadonlySet<string> = new Set([
  'opencode',
  'pi',
  'claude-code',
  'codex',
  'qwen-code',
])

/** What a person who uses a client wants to know, and what the figure is called for them. */
const short: readonly { head: string; of: string }[] = [
  {
    head: 'requests that lack a rule, the task or the newest words',
    of: 'lack a rule, the task or the newest words',
  },
  { head: 'facts that the agent still knows', of: 'facts' },
  { head: 'changed files that it still knows', of: 'written files' },
  { head: 'summaries paid for', of: 'requests for a summary' },
]

function shortTable(rows: Recorded['rows']): Recorded {
  const at = short.map(({ of }) => 1 + columns.findIndex(({ head }) => head === of))
  return {
    head: ['client', ...short.map(({ head }) => head)],
    rows: rows
      .filter(([client = '']) => insideOf.has(client.split(' ', 1)[0] ?? ''))
      .map((row) => [row[0] ?? '', ...at.map((column) => row[column] ?? '')]),
  }
}
