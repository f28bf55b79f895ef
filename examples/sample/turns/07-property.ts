import { bash, read, say, step, write, type Turn } from '../story.ts'

const session = 'packages/throughline/src/session'
const testing = 'packages/throughline/src/testing'
const promises = 'packages/throughline/src/promises'

const property = `import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8Bytes } from '../compaction/placeholder.ts'
import { outputText } from '../log/message-text.ts'
import { partsOf } from '../log/message.ts'
import { logFrom } from '../testing/generate/build.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import { toolUsage } from './tool-usage.ts'

const sessions = arbitrarySession({ maxSteps: 20 }).map((drafts) => logFrom(drafts))

describe('tool usage of any session', () => {
  it('counts the bytes of every output once', () => {
    fc.assert(
      fc.property(sessions, (log) => {
        const outputs = log
          .flatMap((entry) => (entry.kind === 'message' ? partsOf(entry.message) : []))
          .flatMap((part) => (part.type === 'tool-result' ? [outputText(part.output)] : []))
        const bytes = outputs.reduce((sum, text) => sum + utf8Bytes(text), 0)
        const counted = toolUsage(log).reduce((sum, row) => sum + row.bytes, 0)
        expect(counted).toBe(bytes)
      }),
      { seed: 7, numRuns: 60 },
    )
  })

  it('never says that the largest output is larger than all', () => {
    fc.assert(
      fc.property(sessions, (log) => {
        for (const { bytes, largest } of toolUsage(log)) {
          expect(largest?.bytes ?? 0).toBeLessThanOrEqual(bytes)
        }
      }),
      { seed: 7, numRuns: 60 },
    )
  })
})
`

export const propertyTest: readonly Turn[] = [
  {
    human:
      'The repository has generated sessions for its promises. Use them: a property test that every output is counted exactly once, on sessions as ugly as they come. Look at how the other promises do it first.',
    steps: [
      step(
        bash(`ls ${promises} ${testing} ${testing}/generate`, 'List promises and generators'),
        read(`${testing}/generate/session.ts`),
      ),
      step(bash(`head -60 ${promises}/*.test.ts | head -420`, 'See how the promises are written')),
      step(
        read(`${testing}/generate/drive.ts`),
        read(`${testing}/generate/build.ts`),
        read(`${testing}/legal.ts`),
      ),
      say(
        'The generator makes drafts; `logFrom` makes a log of them.',
        write(`${session}/tool-usage.properties.test.ts`, property),
      ),
      step(
        bash(
          `npx vitest run ${session}/tool-usage && npx oxlint ${session}/tool-usage.properties.test.ts && npx oxfmt --check ${session}/tool-usage.properties.test.ts`,
          'Run the tests of tool usage, lint and check the format',
        ),
      ),
    ],
    answer: `\`tool-usage.properties.test.ts\` holds two properties on sixty generated sessions each, with parallel and aborted calls, images, huge outputs, lone surrogates and foreign checkpoints among them: the bytes of every output are counted exactly once, and no largest output is larger than all together. Both hold, under a fixed seed.`,
  },
]
