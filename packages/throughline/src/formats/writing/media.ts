export { isImage, mediumOf, urlOf, wordsFor, type Medium } from '../../wires/media.ts'
