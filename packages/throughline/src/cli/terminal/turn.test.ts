import { expect, it } from 'vitest'
import { InterruptedError } from '../errors.ts'
import { takeTurn } from './turn.ts'

it('hears a Ctrl-C that came while work was done', async () => {
  const controller = new AbortController()
  await takeTurn(controller)
  setImmediate(() => controller.abort())
  await expect(takeTurn(controller)).rejects.toThrow(InterruptedError)
})
