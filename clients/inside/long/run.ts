import { parseArgs } from 'node:util'
import { install } from '../../install.ts'
import { packed } from '../packed.ts'
import { markdownTable } from '../../../bench/compare/markdown.ts'
import { cellsOf } from './compare.ts'
import { longPrompts } from './prompts.ts'
import { livedThrough } from './lives.ts'
import { longClients } from './long-clients.ts'
import { record, recordKind, wholeTable, type Row } from './pages.ts'
import type { SummaryModel } from './agent.ts'

const help = `Lets each client work through a long life, alone and with Throughline inside: 250 steps, six
prompts in six processes, rules, changes of mind, and a model whose summaries forget.

  --only NAME    only this client (repeat for more): ${longClients.map(({ client }) => client.name).join(', ')}
  --model KIND   instant, slow, untagged or forgetful (the default; repeat for more)
  --prompts N    only the first N prompts, and none of the doors that a whole life leaves by
  --dump FOLDER  write each request there
  --record       write what was run to docs/inside-clients.md, and whole lives with a forgetful model
                 in short to README.md
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    model: { type: 'string', multiple: true, default: ['forgetful'] },
    prompts: { type: 'string', default: `${longPrompts.length}` },
    dump: { type: 'string' },
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

async function main(): Promise<void> {
  const throughline = await packed()
  for (const model of values.model as SummaryModel[]) await lived(model, throughline)
}

async function lived(model: SummaryModel, throughline: string): Promise<void> {
  const rows: Row[] = []
  const prompts = Number(values.prompts)
  for (const { client } of longClients) {
    if (values.only && !values.only.includes(client.name)) continue
    const installed = await install(client).catch((error: unknown) => error as Error)
    if (installed instanceof Error) {
      process.stdout.write(`${client.name}: MISSING: ${installed.message.split('\n', 1)[0]}\n`)
      process.exitCode = 1
      continue
    }
    const { dump } = values
    const what = {
      name: client.name,
      installed,
      model,
      prompts,
      ...(dump !== undefined && { dump }),
    }
    const alone = await livedThrough('alone', what)
    const inside = await livedThrough('with', { ...what, throughline })
    const verdict = cellsOf({ alone: alone.figures, inside: inside.figures })
    if (inside.problems > 0 || verdict.isWorse) process.exitCode = 1
    const { problems } = inside
    if (problems > 0) verdict.inShort += `; ${problems} problems`
    rows.push({ client: `${client.name} ${client.version}`, verdict })
  }
  process.stdout.write(`${model}, ${prompts} prompts\n${markdownTable(wholeTable(rows))}\n`)
  if (!values.record) return
  if (model === 'forgetful' && prompts === longPrompts.length) return record(rows)
  const steps = longPrompts.slice(0, prompts).reduce((sum, prompt) => sum + prompt.steps, 0)
  await recordKind({ model, steps }, rows)
}

if (values.help) process.stdout.write(help)
else await main()
