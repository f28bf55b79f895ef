export { isFailed, outputPieces, outputWords } from '../../wires/text-pieces.ts'
