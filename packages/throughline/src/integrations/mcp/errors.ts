import { ThroughlineError } from '../../log/throughline-error.ts'

/** A client sent a line that isn't a message of the protocol. */
export class McpMessageError extends ThroughlineError<'MCP_MESSAGE'> {
  static override readonly code = 'MCP_MESSAGE'

  constructor({ cause }: { cause: unknown }) {
    super(
      McpMessageError.code,
      'The client sent a line that is not a JSON-RPC message; it was ignored. Only the protocol may be written to standard input.',
      { cause },
    )
  }
}
