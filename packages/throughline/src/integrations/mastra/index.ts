export {
  mastraCompaction,
  type MastraCompaction,
  type MastraCompactionOptions,
} from './mastra-compaction.ts'
export { MessageConversionError } from '../../wires/errors.ts'
