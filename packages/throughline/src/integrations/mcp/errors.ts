import { ThroughlineError } from '../../log/throughline-error.ts'

/** The optional peer `@modelcontextprotocol/sdk` could not be loaded. */
export class MissingMcpSdkError extends ThroughlineError<'MISSING_MCP_SDK'> {
  static override readonly code = 'MISSING_MCP_SDK'

  constructor({ cause }: { cause: unknown }) {
    super(
      MissingMcpSdkError.code,
      'An MCP server needs the package @modelcontextprotocol/sdk, which could not be loaded. Install it where throughline is installed: "npm install @modelcontextprotocol/sdk@1", with -g if throughline is there.',
      { cause },
    )
  }
}

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
