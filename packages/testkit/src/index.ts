export { type ExpectedAnswer, type Recording, readBatchFile, readUnzipped, recording, sharedDir } from './recording.ts'
