import { parseArgs } from 'node:util'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdownTable } from '../../../bench/compare/markdown.ts'
import { install } from '../../install.ts'
import { packed } from '../packed.ts'
import { cellsOf, columns, type Pair } from './compare.ts'
import { livedThrough } from './lives.ts'
import { longClients } from './long-clients.ts'

const help = `Lets each client work through a long life, alone and with Throughline inside: 250 steps, six
prompts in six processes, rules, changes of mind, and a model whose summaries forget.

  --only NAME    only this client (repeat for more): ${longClients.map(({ client }) => client.name).join(', ')}
  --model KIND   instant, slow, untagged or forgetful (the default)
  --dump FOLDER  write each request there
  --record       write the table to docs/inside-clients.md
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    model: { type: 'string', default: 'forgetful' },
    dump: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const begin = '<!-- begin: npm run test:clients:long -- --record -->'
const end = '<!-- end -->'

async function main(): Promise<void> {
  const rows: string[][] = []
  const throughline = await packed()
  for (const { client } of longClients) {
    if (values.only && !values.only.includes(client.name)) continue
    const installed = await install(client).catch((error: unknown) => error as Error)
    if (installed instanceof Error) {
      process.stdout.write(`${client.name}: MISSING: ${installed.message.split('\n', 1)[0]}\n`)
      process.exitCode = 1
      continue
    }
    const { model, dump } = values
    const what = { name: client.name, installed, model, ...(dump !== undefined && { dump }) }
    const alone = await livedThrough('alone', what)
    const inside = await livedThrough('with', { ...what, throughline })
    if (inside.problems > 0) process.exitCode = 1
    const pair: Pair = { alone: alone.figures, inside: inside.figures }
    const { cells, isWorse } = cellsOf(pair)
    if (isWorse) process.exitCode = 1
    rows.push([`${client.name} ${client.version}`, ...cells])
  }
  process.stdout.write(`${tableOf(rows)}\n`)
  if (values.record) await record(rows)
}

function tableOf(rows: string[][]): string {
  return markdownTable({ head: ['client', ...columns.map(({ head }) => head)], rows })
}

function rowsIn(table: string): string[][] {
  const lines = table.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function clientOf([name = '']: readonly string[]): string {
  return name.split(' ', 1)[0] ?? ''
}

/** Rows of clients that were not run stay. */
async function record(rows: readonly string[][]): Promise<void> {
  const page = join(import.meta.dirname, '../../../docs/inside-clients.md')
  const text = await readFile(page, 'utf8')
  const [before, rest = ''] = text.split(begin)
  const [old = '', ...after] = rest.split(end)
  const known = new Map(rowsIn(old).map((row) => [clientOf(row), row]))
  for (const row of rows) known.set(clientOf(row), [...row])
  const table = tableOf([...known.values()])
  await writeFile(page, `${before}${begin}\n\n${table}\n\n${end}${after.join(end)}`)
}

if (values.help) process.stdout.write(help)
else await main()
