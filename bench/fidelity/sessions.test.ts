import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSessions } from './sessions.ts'

const record = {
  type: 'user',
  uuid: 'a',
  parentUuid: null,
  sessionId: 's',
  cwd: '/home/me/tool/.worktrees/1',
  timestamp: '2026-01-01T00:00:00.000Z',
  message: { role: 'user', content: 'Fix the parser, please.' },
}

test('sessions are read with the repository that the name of the file says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fidelity-'))
  try {
    await writeFile(join(folder, 'tool__1a2b.jsonl'), `${JSON.stringify(record)}\n`)
    await writeFile(join(folder, 'notes.json'), '{"no": "session"}\n')
    const sessions = await readSessions(folder)
    expect(sessions).toMatchObject([
      {
        name: 'tool__1a2b',
        repository: 'tool',
        harness: 'claude-code',
        directories: ['/home/me/tool/.worktrees/1'],
      },
    ])
    expect(sessions[0]?.log).toHaveLength(1)
  } finally {
    await rm(folder, { recursive: true })
  }
})
