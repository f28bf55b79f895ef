/**
 * What an MCP client sends: it initializes, lists the tools, and calls `recall` with each of these.
 */
export function clientLines(calls: readonly unknown[]): string {
  const clientInfo = { name: 'a client', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const messages = [
    { id: 'initialize', method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 'tools', method: 'tools/list' },
    ...calls.map((question, id) => ({
      id,
      method: 'tools/call',
      params: { name: 'recall', arguments: question },
    })),
  ]
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
}
