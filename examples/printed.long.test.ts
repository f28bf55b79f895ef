import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const examples = {
  'quickstart.ts': /The test is fixed\.[^]*so nothing was compacted/,
  'recall.ts': /got the message back word for word/,
  'plugins.ts': /a release is running[^]*now \d+ tokens[^]*registry is read-only on Sundays/,
  'context-engine.ts':
    /Of 120 messages the next request holds \d\d?, \d+ tokens[^]*The rule stands: true/,
  'summaries.ts': /small, then large[^]*## Goal/,
}

test.each(Object.entries(examples))('the example %s prints what it did and why', (file, says) => {
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, file)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  expect(printed).toMatch(says)
})
