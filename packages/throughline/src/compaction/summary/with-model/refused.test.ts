import { describe, expect, it } from 'vitest'
import { refusedIn } from './refused.ts'

function answer(status: number, message = 'refused') {
  return Object.assign(new Error(message), { status })
}

describe('what a provider refuses whatever it is asked', () => {
  it.each([
    ['a status of the provider’s own client', answer(401), 'key'],
    ['a permission that the key lacks', answer(403), 'key'],
    ['a wrapped error', new Error('it failed', { cause: answer(401) }), 'key'],
    ['the AI SDK’s last try', { lastError: { statusCode: 401, message: 'Unauthorized' } }, 'key'],
    ['Google’s words', answer(400, 'API key not valid. Please pass a valid API key.'), 'key'],
    ['no key at all', Object.assign(new Error('no key'), { name: 'AI_LoadAPIKeyError' }), 'key'],
    ['a model that is not there', answer(404, 'model: claude-nine'), 'model'],
    ['DeepSeek’s words', answer(400, 'Model Not Exist'), 'model'],
    ['OpenRouter’s words', answer(400, 'x/y is not a valid model ID'), 'model'],
  ])('reads it from %s', (_, error, refused) => expect(refusedIn(error)).toBe(refused))

  it.each([
    ['too many requests', answer(429, 'Rate limit reached')],
    ['a request that is too long', answer(400, 'prompt is too long')],
    ['a broken connection', new Error('socket hang up')],
    ['a word', 'the model was not found'],
    ['nothing', undefined],
  ])('does not take %s for it', (_, error) => expect(refusedIn(error)).toBeUndefined())
})
