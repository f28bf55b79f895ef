import { expect, it } from 'vitest'
import { capturedIo } from '../testing/captured-io.ts'
import { typedText } from './typed-text.ts'

it('Ctrl-C ends the wait for a text, and is no error of the program', async () => {
  const { io, interrupt } = capturedIo()
  const stdin = {
    ...io.stdin,
    async *chunks() {
      yield new TextEncoder().encode('half a te')
      interrupt()
      // What Node says of a stream that was closed before its end.
      throw new Error('Premature close')
    },
  }
  await expect(typedText({ ...io, stdin }, 'too long')).rejects.toMatchObject({
    code: 'INTERRUPTED',
  })
})

it('a text that nobody types is refused', async () => {
  const { io } = capturedIo({ input: 'x'.repeat(1_000_001) })
  await expect(typedText(io, 'too long.')).rejects.toThrow('standard input: too long.')
})
