import { parseArgs } from 'node:util'
import { markdownTable } from '../../../bench/compare/markdown.ts'
import { install } from '../../install.ts'
import { isolatedProcess } from '../../isolated-trial.ts'
import { insideClients } from '../inside-client.ts'
import { packed } from '../packed.ts'
import { recordTable } from '../../recorded-table.ts'
import type { MetFault } from './run-fault.ts'

const help = `Lets real clients with Throughline inside meet a model that fails wherever a summary is wanted.

  --only NAME    only this client (repeat for more)
  --fault NAME   only this fault (repeat for more)
  --alone        without Throughline, to compare
  --record       write what was run into the table of docs/inside-clients.md
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    fault: { type: 'string', multiple: true },
    alone: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

/** Those in which Throughline has a say in what a model writes. */
const names = new Set(['opencode', 'pi', 'claude-code'])

/** One of each kind of docs/faults.md. */
const kinds = [
  'none',
  'an empty summary',
  'a tool call instead of a summary',
  'a refusal instead of a summary',
  'the key is rejected for every summary',
  '400 for every summary',
  '429 for every summary',
  '500 for every summary',
  'an HTML page for every summary',
  'overflow for every summary',
  'the connection breaks during every summary',
  'no summary ever comes',
]

async function main(): Promise<void> {
  const throughline = values.alone ? {} : { throughline: await packed() }
  const clients = insideClients.filter(
    ({ client: { name } }) => names.has(name) && (values.only?.includes(name) ?? true),
  )
  const rows: string[][] = []
  for (const fault of values.fault ?? kinds) {
    const row = [fault]
    for (const { client } of clients) {
      const what = { name: client.name, fault, installed: await install(client), ...throughline }
      const answer = await isolatedProcess('inside/faults/run-fault.ts', what)
      const met: MetFault | undefined = 'said' in answer ? (answer.said as MetFault) : undefined
      const wrongs = met?.wrongs ?? ['failed' in answer ? answer.failed : '']
      if (wrongs.length > 0) process.exitCode = 1
      for (const words of [...wrongs, ...(met?.figures.examples ?? []), met?.status ?? ''])
        process.stdout.write(`${client.name}, ${fault}: ${words}\n`)
      const { compactions = 0, summaries = 0 } = met?.figures ?? {}
      const end = wrongs.length === 0 ? 'goes on' : '**fails**'
      row.push(`${end}; ${summaries} asked for ${compactions}`)
    }
    rows.push(row)
  }
  const head = [
    'the model, wherever a summary is wanted',
    ...clients.map(({ client }) => client.name),
  ]
  const table = markdownTable({ head, rows })
  process.stdout.write(`${table}\n`)
  if (values.record && !values.alone) {
    await recordTable('docs/inside-clients.md', 'test:clients:faults -- --record', { head, rows })
  }
}

if (values.help) process.stdout.write(help)
else await main()
