import { harnesses } from '../../../formats/harnesses.ts'
import { loadOwnConfig } from '../../../config/load-config.ts'
import { readSession } from '../../../formats/reading/read-session.ts'
import { previewSession } from '../../../harnesses/preview/preview-session.ts'
import { CommandError } from '../../errors.ts'
import { foundMoney } from '../../source/found-money.ts'
import { stateOf, sessionFound } from '../../source/session-found.ts'
import { chooseWindow } from '../../sizes/window-choice.ts'
import { pathFrom } from '../../paths.ts'
import { compactsAt, type SessionState } from './payload.ts'
import { transcriptTail } from './transcript-tail.ts'
import { stat } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import type { FoundSession } from '../../../harnesses/found-session.ts'
import type { Io } from '../../io.ts'

/**
 * The state of a session of this machine, by its name or its file.
 * @throws CommandError
 */
export async function namedState(word: string, io: Io): Promise<SessionState> {
  const found = (await inFile(word, io)) ?? (await sessionFound(word, io))
  if (!found) {
    throw new CommandError(
      `there is no session ${JSON.stringify(word.slice(0, 80))} on this machine. To list all sessions: throughline list`,
    )
  }
  const configuration = await loadOwnConfig(io)
  const { tokens, model, window } = await previewSession(found)
  const facts = { ...(model !== undefined && { model }), ...(window !== undefined && { window }) }
  const size = chooseWindow(undefined, facts, configuration).window.context
  const isClaude = found.harness.name === 'claude-code'
  const money = await foundMoney([found], configuration, io, { read: false })
  return {
    tokens: tokens?.count,
    window: size,
    compactsAt: compactsAt(size, isClaude, io.env),
    dollars: money.get(stateOf(found).place)?.dollars,
    compacted: isClaude ? transcriptTail(found.file)?.compacted : undefined,
  }
}

/** A file by itself, whichever client wrote it. */
async function inFile(word: string, { cwd }: Io): Promise<FoundSession | undefined> {
  const file = pathFrom(cwd, word)
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) return undefined
  const { format, facts } = await readSession(createReadStream(file))
  const harness = harnesses.find(({ name }) => name === format)
  if (!harness) throw new CommandError(`${word}: a status line needs a client’s own session.`)
  return {
    type: 'file',
    harness,
    id: facts.id ?? '',
    at: found.mtimeMs,
    file,
    bytes: found.size,
  }
}
