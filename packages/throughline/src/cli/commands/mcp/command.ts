import { recallServer } from '../../../integrations/mcp/recall-server.ts'
import { serve, type Channel } from '../../../integrations/mcp/serve.ts'
import { configOptions, storeOption } from '../../configuration.ts'
import { ClosedPipeError, exitCodes } from '../../errors.ts'
import { explainError } from '../../explain-error.ts'
import { packageVersion } from '../../version.ts'
import { chooseSource } from './choose-source.ts'
import type { Command, ParsedArguments } from '../../command.ts'
import type { Io } from '../../io.ts'

export const mcpCommand: Command = {
  name: 'mcp',
  description: [
    'An MCP server with one tool, recall. The agent reads back anything that was said, read or printed in a session, word for word: by ref, by path or by words. <session> is a client’s file or an id from throughline list (both are read again when they change), or a stored session. latest is the session that is newest when the server starts. Without a session, the agent may name any session in the store; the default is the most recently modified one.',
    'An agent starts this command itself; docs/recall.md shows the lines for its configuration.',
  ],
  arguments: [
    {
      name: 'session',
      give: 'the path of its file, an id from throughline list, or its name in the store',
      optional: true,
    },
  ],
  options: [storeOption, ...configOptions],
  examples: [
    { command: 'throughline mcp session.jsonl', does: 'Answer for the session in this file.' },
    {
      command: 'throughline mcp claude:latest',
      does: 'Answer for the newest Claude Code session.',
    },
    {
      command: 'throughline mcp --store sessions.db',
      does: 'Answer for every session in this store, by default the newest.',
    },
  ],
  run: runMcp,
}

async function runMcp(parsed: ParsedArguments, io: Io): Promise<number> {
  const { source, name, close } = await chooseSource(parsed, io)
  const onError = (error: unknown): void => void explainError(error, io)
  const server = recallServer({ source, version: packageVersion, onError })
  await io.stderr.write(`throughline: answering an MCP client for ${name}; Ctrl-C ends it.\n`)
  try {
    await serve(server, channelOf(io))
  } catch (error) {
    // Ctrl-C stops the reading.
    if (!io.signal.aborted) throw error
  } finally {
    close()
  }
  return exitCodes.done
}

/** When the client is gone, there is nobody left to answer; our side of the channel ends, too. */
function channelOf({ stdin, stdout }: Io): Channel {
  return {
    chunks: stdin.chunks(),
    async write(text) {
      try {
        await stdout.write(text)
      } catch (error) {
        if (!(error instanceof ClosedPipeError)) throw error
      }
    },
  }
}
