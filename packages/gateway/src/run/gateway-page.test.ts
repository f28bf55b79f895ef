import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { allClients } from './clients.ts'
import type { RunClient } from './run-client.ts'

const page = new URL('../../../../docs/gateway.md', import.meta.url)
const record = new URL('../../../../docs/gateway.json', import.meta.url)

interface Result {
  problems: string[]
  requests: number
  refused: number
}

interface Recorded {
  name: string
  version: string
  date: string
  trials: { scenario: string; alone: Result; behind: Result }[]
}

/** Rows as a formatter writes them. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...others] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join(
    '\n',
  )
}

function clientRows(clients: readonly RunClient[]): string[][] {
  return clients.flatMap(({ commands, logins }) =>
    logins.map(({ login, works, lost }, at) => [
      at === 0 ? (commands[0] ?? 'any other') : '',
      login,
      works,
      lost,
    ]),
  )
}

function outcome({ problems, requests, refused }: Result): string {
  const counted = `${requests} requests, ${refused} refused`
  return problems.length === 0 ? `finishes (${counted})` : `${problems.join(', ')} (${counted})`
}

function within(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const before = text.slice(0, text.indexOf(start) + start.length)
  return `${before}\n\n${content}\n\n${text.slice(text.indexOf(end))}`
}

it('docs/gateway.md has the table that is shown before the start, and the recorded trials', () => {
  const before = readFileSync(page, 'utf8')
  const logins = table([['client', 'logged in with', 'works', 'lost'], ...clientRows(allClients)])
  const recorded = existsSync(record)
    ? (JSON.parse(readFileSync(record, 'utf8')) as Recorded[])
    : []
  const trials = table([
    ['client', 'what goes wrong', 'alone', 'behind the gateway'],
    ...recorded.flatMap(({ name, version, date, trials }) =>
      trials.map(({ scenario, alone, behind }) => [
        `${name} ${version} (${date})`,
        scenario,
        outcome(alone),
        outcome(behind),
      ]),
    ),
  ])
  const now = within(within(before, 'clients', logins), 'trials', trials)
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, now)
  expect(readFileSync(page, 'utf8')).toBe(now)
})
