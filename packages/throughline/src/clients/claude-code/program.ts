import { hookProcess, standardInput } from '../hooks/hook-process.ts'
import { readClientRecords, writeClientRecord, type ClientRecord } from '../record.ts'
import { clientSettings } from '../settings.ts'
import { recallTool, takes } from './question.ts'
import type { ModuleAnswer, ModuleQuestion } from './question.ts'

const client = 'claude-code'
const knownVersions = /^2\./

if (process.argv[2] === 'module') await moduleProcess()
else await hookProcess({ name: client, recallTool, before: 'text', takes, isReplaced, shows: true })

/** Whether the hooks module was loaded in a session: what it does not do is the client's own. */
function isReplaced(session: string): boolean {
  return readClientRecords(client, process.env).some(
    (record) => record.session === session && record.event === 'start',
  )
}

/** Answers the hooks module; `null` tells it to leave the compaction to the client. */
async function moduleProcess(): Promise<void> {
  try {
    const question = JSON.parse(await standardInput()) as ModuleQuestion
    const { ask, session, version } = question
    if (ask === 'start') {
      record({ event: 'start', session, version, reason: 'hooks module' })
      say({ limit: Number(process.env['CLAUDE_CODE_AUTO_COMPACT_WINDOW']) || 0 })
    } else if (ask === 'ahead') {
      if (!clientSettings(client, process.env).off && knownVersions.test(version)) {
        const { compactionAhead } = await import('../hooks/hook-work.ts')
        await compactionAhead(question, { env: process.env, say })
      }
    } else if (!knownVersions.test(version)) {
      record({ event: 'step-aside', session, reason: `version ${version} is not known` })
    } else {
      const { compaction } = await import('../hooks/hook-work.ts')
      await compaction(question, { env: process.env, say })
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    record({ event: 'step-aside', reason })
  }
  // What was said may still be on its way.
  process.stdout.write('', () => process.exit(0))
}

function say(answer: ModuleAnswer): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

function record(what: Omit<ClientRecord, 'at' | 'client'>): void {
  writeClientRecord({ at: Date.now(), client, ...what }, process.env)
}
