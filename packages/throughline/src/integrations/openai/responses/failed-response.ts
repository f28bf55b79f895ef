/** What a response says that came and failed: no error of ours, but the provider's. */
export class FailedResponse extends Error {
  override readonly name = 'FailedResponse'

  constructor({ message, cause }: { message: string; cause: unknown }) {
    super(`The response failed: ${message}`, { cause })
  }
}
