import { expect, it } from 'vitest'
import { csvRecords } from './csv-records.ts'

it('fields of a CSV text are read with quotes, commas and line ends inside of them', () => {
  expect(csvRecords('a,b\r\n"1,""x""\n2",\r\n3,4\r\n')).toEqual([
    ['a', 'b'],
    ['1,"x"\n2', ''],
    ['3', '4'],
  ])
})
