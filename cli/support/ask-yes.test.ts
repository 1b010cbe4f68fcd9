import { expect, it } from 'vitest';
import { requireYes } from './ask-yes';

const question = { text: 'Delete these 3 objects?', act: 'delete these 3 objects', declined: 'Nothing was deleted.' };

it('asks nobody when the flag says yes', async () => {
  await expect(requireYes(question, { yes: true }, () => Promise.reject(new Error('asked')))).resolves.toBeUndefined();
});

it('goes on when the person says yes, and stops when not', async () => {
  const asked: string[] = [];
  const answering = (isYes: boolean) => (text: string) => {
    asked.push(text);
    return Promise.resolve(isYes);
  };
  await requireYes(question, {}, answering(true));
  await expect(requireYes(question, {}, answering(false))).rejects.toThrow('Nothing was deleted.');
  expect(asked).toEqual([question.text, question.text]);
});

it('says which flag to pass when it cannot ask', async () => {
  await expect(requireYes(question, {}, undefined)).rejects.toThrow(
    'Pass --yes to delete these 3 objects: standard input is not a terminal, so the command cannot ask.',
  );
});
