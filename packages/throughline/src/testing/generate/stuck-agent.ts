import { sqliteStore } from '../../stores/sqlite/index.ts'
import { agent } from './agent.ts'

// An agent whose tool never ends, until it is killed: argv holds its store's file and the names of
// the tools that its model calls. It prints on standard output what its store has acknowledged.
const [file = '', ...names] = process.argv.slice(2)

setInterval(() => {}, 1_000)
const { session, run } = await agent({
  store: sqliteStore({ file }),
  script: [{ text: 'Let me look.', calls: names.map((name) => ({ name, input: { tokens: 1 } })) }],
  onEvent: (event) => {
    if (event.type !== 'appended') return
    for (const entry of event.entries) {
      if (entry.kind === 'message') process.stdout.write(`${entry.message.role}\n`)
    }
  },
})
await session.say('go')
await run()
