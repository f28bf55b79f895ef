import { expect, it } from 'vitest'
import { factsOf } from '../../facts/facts-of.ts'
import { messageText } from '../../log/message.ts'
import { openSession } from '../session.ts'
import { memoryStore } from '../../stores/memory.ts'
import { assistant, human, step } from '../../testing/generate/build.ts'
import { reconcile } from './reconcile.ts'
import type { Message } from '../../log/message.ts'

it('keeps what somebody wrote after our summary into the same text', async () => {
  const session = await openSession({ store: memoryStore(), id: 'a', window: { context: 32_000 } })
  const steps = Array.from({ length: 20 }, (_, at) =>
    step(`c${at}`, 'read', { path: `src/${at}.ts` }, 'line of code\n'.repeat(300)),
  )
  await session.append(human('Mend the lexer.'), ...steps.flat(), assistant('Done.'))
  await session.compact()
  const [summary, ...others] = session.messages()
  const joined: Message[] = [
    { role: 'user', content: `${messageText(summary as Message)}\n\nNever deploy on a Friday.` },
    ...others,
    { role: 'user', content: 'Go on.' },
  ]
  await reconcile(session, joined)
  const log = await session.log()
  expect(factsOf(log).rules.map(({ text }) => text)).toContain('Never deploy on a Friday.')
  await session.fit()
  expect(session.messages().map(messageText).join('\n')).toContain('Never deploy on a Friday.')
})

it('knows our summary in the words of its client where an array begins with it, and nowhere else', async () => {
  const framed: Message = {
    role: 'user',
    content:
      '<state_snapshot>\n<prior-conversation-summary>\n## Goal\nx\n\n## Instructions\n- Never deploy on a Friday. [2]\n</prior-conversation-summary>\n</state_snapshot>',
  }
  const rulesOf = async (messages: Message[]): Promise<string[]> => {
    const window = { context: 32_000 }
    const session = await openSession({ store: memoryStore(), id: 'a', window })
    await reconcile(session, messages)
    return factsOf(await session.log()).rules.map(({ text }) => text)
  }
  const said: Message = { role: 'user', content: 'Go on.' }
  expect(await rulesOf([framed, said])).toEqual(['Never deploy on a Friday.'])
  expect(await rulesOf([said, framed])).toEqual([])
})
