// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { Drafts } from './drafts';

let drafts: Drafts;
const FORM = '/b1/services#new';

beforeEach(() => {
  sessionStorage.clear();
  drafts = new Drafts(sessionStorage);
});

describe('a half-filled form', () => {
  it('is restored for the user who filled it, once', () => {
    drafts.follow(FORM, () => ({ name: 'Cut', minutes: 45, tags: ['short'] }));
    drafts.keep('olivia@salon.test');
    expect(drafts.take(FORM, 'olivia@salon.test')).toEqual({ name: 'Cut', minutes: 45, tags: ['short'] });
    expect(drafts.take(FORM, 'olivia@salon.test')).toBeNull();
  });

  it('is matched to its user in any spelling of the address', () => {
    drafts.follow(FORM, () => ({ name: 'Cut' }));
    drafts.keep(' Olivia@Salon.test');
    expect(drafts.take(FORM, 'olivia@salon.test')).toEqual({ name: 'Cut' });
  });

  it('is thrown away when another user signs in', () => {
    drafts.follow(FORM, () => ({ name: 'Cut' }));
    drafts.keep('olivia@salon.test');
    expect(drafts.take(FORM, 'other@salon.test')).toBeNull();
    expect(drafts.take(FORM, 'olivia@salon.test')).toBeNull();
    expect(Object.keys(sessionStorage)).toEqual([]);
  });

  it('never keeps a password or another secret, however deep', () => {
    drafts.follow(FORM, () => ({
      name: 'Ada',
      currentPassword: 'hunter2-a',
      apiKey: 'hunter2-f',
      login: { password: 'hunter2-b', apiToken: 'hunter2-c', clientSecret: 'hunter2-d' },
      code: 'hunter2-e',
      postcode: 'E8 4QN',
    }));
    drafts.keep('olivia@salon.test');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('hunter2');
    expect(drafts.take(FORM, 'olivia@salon.test')).toEqual({ name: 'Ada', login: {}, postcode: 'E8 4QN' });
  });

  it('is kept only while it is on the screen and something was filled in', () => {
    const leave = drafts.follow(FORM, () => ({ name: 'Cut' }));
    drafts.follow('/b1#untouched', () => null);
    leave();
    drafts.keep('olivia@salon.test');
    expect(Object.keys(sessionStorage)).toEqual([]);
  });

  it('is forgotten on request, and nothing else of the tab with it', () => {
    sessionStorage.setItem('sessionId', 'x');
    drafts.follow(FORM, () => ({ name: 'Cut' }));
    drafts.keep('olivia@salon.test');
    drafts.forget();
    expect(Object.keys(sessionStorage)).toEqual(['sessionId']);
  });

  it('is kept over a reload only where that is wanted', () => {
    drafts.follow(FORM, () => ({ name: 'Cut' }), true);
    drafts.follow('/b1#dialog', () => ({ name: 'Shave' }));
    drafts.keepOverReload('olivia@salon.test');
    expect(Object.keys(sessionStorage)).toEqual([`draft:${FORM}`]);
  });

  it('is dropped again where the page was not reloaded, but not that of another form', () => {
    const leave = drafts.follow('/b1#left', () => ({ name: 'Shave' }), true);
    drafts.follow(FORM, () => ({ name: 'Cut' }), true);
    drafts.keepOverReload('olivia@salon.test');
    leave();
    drafts.dropOfOpenForms();
    expect(Object.keys(sessionStorage)).toEqual(['draft:/b1#left']);
  });

  it('breaks nothing where the browser keeps nothing', () => {
    const nowhere = new Drafts(undefined);
    nowhere.follow(FORM, () => ({ name: 'Cut' }));
    nowhere.keep('olivia@salon.test');
    expect(nowhere.take(FORM, 'olivia@salon.test')).toBeNull();
  });
});
