export { isFailed, outputPieces, outputWords } from '../../wires/output-pieces.ts'
