import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSession } from '../../index.ts'
import { sqliteStore } from '../../stores/sqlite/index.ts'
import type { Message } from '../../log/message.ts'

/**
 * Writes a session as the version of this checkout does, and what its views show:
 * `node packages/throughline/src/promises/written-by/write.ts 0.3.0`. Every later version of the same
 * major must read it. It uses only names that every released version has.
 */
const version = process.argv[2] ?? ''
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version: write.ts 0.3.0')
const folder = process.argv[3] ?? import.meta.dirname

const store = sqliteStore({ file: join(folder, `${version}.db`) })
const session = await openSession({ store, id: 'made', window: { context: 20_000 } })

await session.say('Make the parser work. Never push to the remote.')
await steps(0, 8)
await session.pin('The parser’s grammar is in docs/grammar.md.')
await session.compact()
await session.say('Now make the printer work. From now on, commit after each part.')
await steps(8, 14)
await session.compact()
await session.undo()
await session.say('Which files did you change?')
await said({
  role: 'assistant',
  content: [{ type: 'text', text: 'Fourteen: src/part-0.ts, …' }],
})

const views = {
  history: (await session.history()).map(({ message }) => textOf(message)),
  context: session.messages().map(textOf),
}
await session.close()
await store.close()
rmSync(join(folder, `${version}.db-spare`), { force: true })
writeFileSync(join(folder, `${version}.json`), `${JSON.stringify(views, null, 2)}\n`)

async function steps(from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++) {
    const path = `src/part-${at}.ts`
    const messages: Message[] = [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: `c${at}`, toolName: 'edit', input: { path } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: `c${at}`,
            toolName: 'edit',
            output: { type: 'text', value: `${path} was changed. ${'word '.repeat(500)}` },
          },
        ],
      },
    ]
    for (const message of messages) await said(message)
  }
}

async function said(message: Message): Promise<void> {
  const origin = message.role === 'assistant' ? 'model' : 'tool'
  await session.append({ kind: 'message', at: 1_700_000_000_000, message, origin })
}

function textOf({ role, content }: Message): string {
  return `${role}: ${JSON.stringify(content).slice(0, 120)}`
}
