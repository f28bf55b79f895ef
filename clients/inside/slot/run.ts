import { parseArgs } from 'node:util'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdownTable } from '../../../bench/compare/markdown.ts'
import { install } from '../../install.ts'
import { packed } from '../packed.ts'
import { insideOpenclaw } from '../of/openclaw.ts'
import { cellsOf, columns, share, whole, type Column } from '../long/compare.ts'
import { livesOf } from '../long/lives.ts'

const help = `Lets OpenClaw work through a long life, with its own context engine and with Throughline in its
slot: 250 steps, six prompts in six processes, rules, changes of mind, and a model whose summaries
forget. Ends with 1 where a figure is worse than OpenClaw's own by more than one step's size.

  --model KIND   instant, slow or forgetful (the default)
  --dump FOLDER  write each request there
  --record       write the table to docs/openclaw.md
`

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'forgetful' },
    dump: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

// A file that is read, with what the model says of it, in tokens.
const step = 1_700

const more: readonly Column[] = [
  {
    head: 'largest request, tokens',
    of: ({ largest }) => largest,
    better: 'fewer',
    shown: whole,
    slack: step,
  },
  { head: 'cached prefix', of: ({ cached }) => cached, better: 'more', shown: share },
]

// Its own notes stand last in each request: what is cached of it is told as a share.
const compared = [...columns.filter(({ head }) => head !== 'cache lost'), ...more]

async function main(): Promise<void> {
  const throughline = await packed()
  const { client } = insideOpenclaw
  const { pair, problems } = await livesOf(client.name, {
    installed: await install(client),
    throughline,
    model: values.model,
    dump: values.dump,
  })
  const { cells, isWorse } = cellsOf(pair, compared)
  if (isWorse || problems > 0) process.exitCode = 1
  const rows = cells.map((cell, at) => [compared[at]?.head ?? '', ...cell.split(' → ')])
  const head = [`OpenClaw ${client.version}`, 'its own engine', 'Throughline']
  const table = markdownTable({ head, rows })
  process.stdout.write(`${table}\n`)
  if (values.record) await record(table)
}

async function record(table: string): Promise<void> {
  const page = join(import.meta.dirname, '../../../docs/openclaw.md')
  const [before, rest = ''] = (await readFile(page, 'utf8')).split(begin)
  const [, ...after] = rest.split(end)
  await writeFile(page, `${before}${begin}\n\n${table}\n\n${end}${after.join(end)}`)
}

const begin = '<!-- begin: npm run test:clients:openclaw -- --record -->'
const end = '<!-- end -->'

if (values.help) process.stdout.write(help)
else await main()
