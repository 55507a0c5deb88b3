// The one switch of these tests.

/** Compares every ledger of the recording with the SDK, not every eighth file. Takes some minutes: the SDK decodes 20 MB/s. */
export const wholeRecording = process.env.ORRERY_TEST_WHOLE_RECORDING === '1'
