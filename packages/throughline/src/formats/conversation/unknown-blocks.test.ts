import { cline } from '../cline/format.ts'
import { cn } from '../cn/format.ts'
import { expect, test } from 'vitest'
import { kimiCode } from '../kimi-code/format.ts'
import { outline } from '../testing/outline.ts'
import { pi } from '../pi/format.ts'

const unknown = { type: 'quote', said: 'Use pnpm.' }
const message = { role: 'user', content: [{ type: 'text', text: 'Fix it.' }, unknown] }

test.each([
  [cline, { version: 1, updated_at: '', agent: 'lead', messages: [message] }],
  [cn, { sessionId: 's', title: 't', workspaceDirectory: '/', history: [{ message }] }],
  [kimiCode, { type: 'context.append_message', agentId: 'main', message, time: 0 }],
  [pi, { type: 'message', timestamp: 0, message }],
])(
  '$name: a block of an unknown kind in a message of the human stays findable',
  (format, record) => {
    expect(outline(format, [record])).toEqual([
      'human: Fix it.',
      `harness: ${JSON.stringify(unknown)}`,
    ])
  },
)
