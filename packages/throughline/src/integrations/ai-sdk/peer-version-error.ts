import { simulateStreamingMiddleware } from 'ai'
import { ThroughlineError } from '../../log/throughline-error.ts'

/** A version of the AI SDK is installed that Throughline does not work with. */
export class PeerVersionError extends ThroughlineError<'PEER_VERSION'> {
  static override readonly code = 'PEER_VERSION'

  /** The package that is too old. */
  readonly peer: string
  /** The versions that work. */
  readonly works: string

  constructor({ peer, works, install }: { peer: string; works: string; install: string }) {
    super(
      PeerVersionError.code,
      `The installed version of the package ${JSON.stringify(peer)} is too old. Throughline works with ${works}: npm i ${install}`,
    )
    this.peer = peer
    this.works = works
  }
}

/**
 * An install must not fail for somebody who does not even use the SDK, so its version is looked at
 * where it is used.
 * @throws PeerVersionError for AI SDK 5 and older.
 */
export function checkAiSdk(): void {
  // The SDK exports its version nowhere. Version 5 calls this field otherwise.
  if (simulateStreamingMiddleware().specificationVersion !== undefined) return
  throw new PeerVersionError({ peer: 'ai', works: 'versions 6 and 7', install: 'ai@7' })
}

/**
 * Whether a part of an answer only describes the answer, such as its usage so far: it is never sent
 * to a provider again and isn't part of the conversation.
 */
export function isNotice(part: { type: string; kind?: unknown }): boolean {
  return part.type === 'custom' && part.kind === 'anthropic.message_start'
}
