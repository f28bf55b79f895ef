import { ThroughlineError } from '../../log/throughline-error.ts'

/** A client sent a line that isn't a message of the protocol, or many of them. */
export class McpMessageError extends ThroughlineError<'MCP_MESSAGE'> {
  static override readonly code = 'MCP_MESSAGE'

  constructor(what: { cause: unknown } | { more: number }) {
    const lines = 'more' in what ? `${what.more} more lines that are` : 'a line that is'
    const message = 'more' in what ? 'JSON-RPC messages; they were' : 'a JSON-RPC message; it was'
    super(
      McpMessageError.code,
      `The client sent ${lines} not ${message} ignored. Only the protocol may be written to standard input.`,
      'cause' in what ? { cause: what.cause } : {},
    )
  }
}
