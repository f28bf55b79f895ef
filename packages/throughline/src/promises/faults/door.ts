import type { Session, SessionOptions } from '../../session/session.ts'
import type { FinishReason } from '../../log/entry.ts'

export type Door = (setting: DoorSetting) => Promise<Host>

/** What a door is opened with: its provider, and what its session has. */
interface DoorSetting {
  url: string
  options: SessionOptions
  /** What the tool was asked to read. */
  read: string[]
}

/** An agent behind a door, with a conversation of its own. */
export interface Host {
  session: Session
  say: (text: string) => void
  /** Asks until the model calls nothing more. */
  turn: () => Promise<FinishReason>
}
