import { parseArgs } from 'node:util'
import { markdownTable } from '../../../bench/compare/markdown.ts'
import { install } from '../../install.ts'
import { packed } from '../packed.ts'
import { recordTable } from '../../recorded-table.ts'
import { insideOpenclaw } from '../of/openclaw.ts'
import { cellsOf, columns, share, whole, type Column } from '../long/compare.ts'
import { isolatedProcess } from '../../isolated-trial.ts'
import type { TalkedStep } from './stage.ts'
import { livedThrough } from '../long/lives.ts'

const help = `Lets OpenClaw work through a long life: with its own context engine as it comes, with that and the
check in the middle of a turn that Throughline turns on, and with Throughline in its slot. 250 steps,
six prompts in six processes, rules, changes of mind, and a model whose summaries forget. Ends with 1
where a figure is worse than with the check by more than one step's size.

  --talk         talk with its gateway instead: tools, commands, sub-agents, heartbeats, kill -9,
                 and a group of people in Telegram
  --model KIND   instant, slow or forgetful (the default)
  --dump FOLDER  write each request there
  --record       write the table to docs/openclaw.md
`

const { values } = parseArgs({
  options: {
    talk: { type: 'boolean', default: false },
    model: { type: 'string', default: 'forgetful' },
    dump: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

// A file that is read, with what the model says of it, in tokens.
const step = 1_700
const usualRequest = 45_000

const more: readonly Column[] = [
  {
    head: 'largest request, tokens',
    of: ({ largest }) => largest,
    better: 'fewer',
    shown: whole,
    slack: step,
  },
  {
    head: 'cached prefix',
    of: ({ cached }) => cached,
    better: 'more',
    shown: share,
    slack: step / usualRequest,
  },
]

// Its own notes stand last in each request: what is cached of it is told as a share.
const compared = [...columns.filter(({ head }) => head !== 'cache lost'), ...more]

async function main(): Promise<void> {
  const throughline = await packed()
  const { client } = insideOpenclaw
  const { model, dump } = values
  const installed = await install(client)
  const what = { name: client.name, installed, model, ...(dump !== undefined && { dump }) }
  if (values.talk) return talkedWith({ installed, throughline })
  const asItComes = await livedThrough('alone', what)
  const own = await livedThrough('checked', { ...what, set: true })
  const inside = await livedThrough('with', { ...what, throughline })
  const { cells, isWorse } = cellsOf({ alone: own.figures, inside: inside.figures }, compared)
  if (isWorse || inside.problems > 0) process.exitCode = 1
  const rows = compared.map(({ head, of, shown }, at) => {
    const [checked = '', ours = ''] = cells[at]?.split(' → ') ?? []
    return [head, shown(of(asItComes.figures)), checked, ours]
  })
  const head = [`OpenClaw ${client.version}`, 'as it comes', 'with its check', 'Throughline']
  process.stdout.write(`${markdownTable({ head, rows })}\n`)
  if (values.record) {
    await recordTable('docs/openclaw.md', 'test:clients:openclaw -- --record', { head, rows })
  }
}

async function talkedWith(what: { installed: string; throughline: string }): Promise<void> {
  for (const script of ['inside/slot/talk.ts', 'inside/slot/group.ts']) {
    const answer = await isolatedProcess(script, what)
    if ('failed' in answer) throw new Error(answer.failed)
    for (const { step: name, problems } of answer.said as TalkedStep[]) {
      process.stdout.write(`${problems.length === 0 ? 'ok' : 'NOT OK'}  ${name}\n`)
      for (const problem of problems) process.stdout.write(`        ${problem}\n`)
      if (problems.length > 0) process.exitCode = 1
    }
  }
}

if (values.help) process.stdout.write(help)
else await main()
