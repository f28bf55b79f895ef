import { langchainWire } from '../../wires/langchain/wire.ts'
import { remembering, type RememberingWire } from '../../wires/remembering/remembering.ts'
import type { BaseMessage } from '@langchain/core/messages'

/** Messages of LangChain, with what has been read and written in this process remembered. */
export const rememberedLangchain: RememberingWire<BaseMessage> = remembering(langchainWire)
