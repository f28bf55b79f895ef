import { parseArgs } from 'node:util'
import { clients } from '../../clients.ts'
import { install } from '../../install.ts'
import { isolatedProcess } from '../../isolated-trial.ts'
import { packed } from '../packed.ts'
import { insideClients } from '../inside-client.ts'
import type { Life } from './run-life.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    model: { type: 'string', default: 'forgetful' },
    dump: { type: 'string' },
    alone: { type: 'boolean' },
    with: { type: 'boolean' },
  },
})

const chosen = insideClients.filter(({ client }) => values.only?.includes(client.name) ?? true)
const throughline = await packed()
for (const { client } of chosen) {
  const installed = await install(clients.find(({ name }) => name === client.name) ?? client)
  const lives = [
    ...(values.with ? [] : [['alone', {}] as const]),
    ...(values.alone ? [] : [['with', { throughline }] as const]),
  ]
  for (const [how, more] of lives) {
    const dump = values.dump && { dump: `${values.dump}/${client.name}-${how}` }
    const what = { name: client.name, installed, model: values.model, ...more, ...dump }
    const answer = await isolatedProcess('inside/long/run-life.ts', what)
    const life = 'failed' in answer ? answer.failed : (answer.said as Life)
    console.log(client.name, how, JSON.stringify(life, null, 1))
  }
}
