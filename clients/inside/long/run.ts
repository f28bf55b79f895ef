import { parseArgs } from 'node:util'
import { install } from '../../install.ts'
import { packed } from '../packed.ts'
import { cellsOf, type Pair } from './compare.ts'
import { livedThrough } from './lives.ts'
import { longClients } from './long-clients.ts'
import { record, tableOf } from './pages.ts'

const help = `Lets each client work through a long life, alone and with Throughline inside: 250 steps, six
prompts in six processes, rules, changes of mind, and a model whose summaries forget.

  --only NAME    only this client (repeat for more): ${longClients.map(({ client }) => client.name).join(', ')}
  --model KIND   instant, slow, untagged or forgetful (the default)
  --dump FOLDER  write each request there
  --record       write the table to docs/inside-clients.md, and its short form to README.md
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

if (values.help) process.stdout.write(help)
else await main()
