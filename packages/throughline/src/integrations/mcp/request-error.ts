import { ThroughlineError } from '../../log/throughline-error.ts'

const numbers = { METHOD_NOT_FOUND: -32_601, INVALID_PARAMS: -32_602 }

/** A client asks for what the server does not have. */
export class McpRequestError extends ThroughlineError<'MCP_REQUEST'> {
  static override readonly code = 'MCP_REQUEST'
  /** What JSON-RPC calls it. */
  readonly number: number

  constructor(kind: keyof typeof numbers, message: string) {
    super(McpRequestError.code, message)
    this.number = numbers[kind]
  }
}
