import { bytesOverFour } from '../prompt-tokens.ts'
import { replyJson } from './reply.ts'
import type { ServerResponse } from 'node:http'

interface SideRequest {
  method: string
  path: string
  text: string
  model: string
}

/**
 * Answers requests other than those to the model: health checks, the list of models, token counts.
 */
export function sideAnswer(outgoing: ServerResponse, request: SideRequest): void {
  const { method, path, text, model } = request
  const tokens = bytesOverFour(text)
  if (path.endsWith('/count_tokens')) return replyJson(outgoing, 200, { input_tokens: tokens })
  if (path.endsWith(':countTokens')) return replyJson(outgoing, 200, { totalTokens: tokens })
  if (path.endsWith('/models')) {
    const data = [{ id: model, object: 'model', created: 0, owned_by: 'scripted' }]
    return replyJson(outgoing, 200, { object: 'list', data })
  }
  if (path === '/') return replyJson(outgoing, 200, {})
  const message = `Nothing answers ${method} ${path} here.`
  replyJson(outgoing, 404, { error: { type: 'not_found_error', message } })
}
