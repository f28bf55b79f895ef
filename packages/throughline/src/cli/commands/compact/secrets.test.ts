import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeSession } from '../../testing/claude-session.ts'
import { newTestStore } from '../../testing/new-store.ts'

describe('what is printed', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`

  it('is said to hold a secret by its kind and its place, never by itself', async () => {
    const { run, directory } = newTestStore()
    const text = claudeSession({ says: ['Start.', 'Then.', `Use ${secret} for the push.`] })
    writeFileSync(join(directory, 'leak.jsonl'), text)
    const { err } = await run(['compact', 'leak.jsonl'])
    expect(err).toMatch(/looks like secrets: 1 GitHub token, in .*\d+\.0/)
    expect(err).not.toContain(secret.slice(0, 20))
    expect((await run(['compact', 'session.jsonl'])).err).not.toContain('secret')
  })
})
