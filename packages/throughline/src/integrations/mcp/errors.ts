import { ThroughlineError } from '../../log/throughline-error.ts'

/** A client sent a line that is no message of the protocol. */
export class McpMessageError extends ThroughlineError<'MCP_MESSAGE'> {
  static override readonly code = 'MCP_MESSAGE'

  constructor({ cause }: { cause: unknown }) {
    super(
      McpMessageError.code,
      'The client sent a line that is no JSON-RPC message, and it was left out. Nothing but the protocol may be written to standard input.',
      { cause },
    )
  }
}
