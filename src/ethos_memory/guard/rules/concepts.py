"""Words by what they mean: English."""

from __future__ import annotations

from typing import Final

__all__ = ["CONCEPTS"]

CONCEPTS: Final = {
    # -- voiding what stands before
    "IGNORE": """
        ignore~, ignoring, disregard~, disregarding, forget~, forgetting, overlook{,ing}, neglect, discard,
        unlearn, disobey,
        abandon, set aside, put aside, cast aside, leave aside, throw away, throw out,
        leave behind, let go of, get rid of, do away with, look past, tune out,
        pay no attention to, pay no heed to, take no notice of, give no weight to,
        stop following, stop obeying, quit following, cease following, stop listening to,
        stop adhering to, no longer follow, no longer obey,
        do not follow, dont follow, do not obey, dont obey, do not listen to, dont listen to,
        do not comply with, dont comply with, do not adhere to, never follow,
        dispense with, nevermind, never mind, scratch, ignor, disreguard""",
    "OVERRIDE": "overrid{e,ing}, bypass{,ing}, overrule, nullify, void, circumvent, purge, invalidate, supersede, cancel, evade, break, violate",
    "FORGET": "ignore, disregard, forget, nevermind, never mind, abandon, drop, dismiss",
    "DROP": """
        drop, clear, delete, remove, skip, reset, erase, wipe, cancel, omit, scrap, revoke,
        suspend, replace, break, change, overwrite, rewrite, violate, evade, invalidate, flush, toss,
        leave, eliminate, strip, undo, move on from""",
    "PRIOR": """
        previous~, prior, above, preceding, earlier, former, foregoing, past, existing, original,
        initial, old, aforementioned, previously, before, beforehand, antecedent, precedent, prev,
        initially, hitherto, precursory, preceeding, privious, last,
        so far, up to now, until now, till now, up to this point, until this point, to date,
        you were given, you have been given, youve been given, given to you, you received,
        you have received, youve received, you got, you were told, you have been told,
        youve been told, told to you, i gave you, i have given you, ive given you, set for you,
        you have, that came before, in place, from before, up above, stated above,
        listed above, provided above, mentioned above, your developers, your creators, openai,
        anthropic, system, developer, default, built in, hardcoded, preset, standing""",
    "ORDERS": """
        instruction~, instructions~, directive, directives~, prompt{,s}, guideline, guidelines~, guardrail{,s}, guidance, directions,
        programming, training, orders, safeguard{,s}, prompting, system message{,s}, system prompt{,s}, system instructions,
        developer message{,s}, briefing""",
    "RULES": """
        rule{,s}, command{,s}, constraint{,s}, restriction{,s}, policy, policies, protocol{,s}, limitation{,s},
        limits, ethics, safety, safeties, principles, regulations, parameters, mandates, requirements,
        boundaries, norms, standards, values, alignment, safeguarding, directive, protections, filters""",
    "TALK": """
        task{,s}, assignment{,s}, context, contexts, conversation{,s}, message{,s}, information, text, texts, content,
        contents, question{,s}, request{,s}, input{,s}, discussion, chat, statement{,s}, data, goal{,s}, objective{,s},
        job, query, queries, words, thoughts, knowledge, memory, memories, settings, configuration,
        history, sentence{,s}, paragraph{,s}, lines, dialog, dialogue, stuff, things, role, persona""",
    "SOURCE": """
        article{,s}, artikels, document{,s}, documents, resume, cv, webpage, web page, website, page, function, code, table, paper,
        email, mail, passage, question, content, file, text, user, users, query, description, caption, transcript,
        instructions, data, source, task, request, prompt, input, note, ticket, review, comment{,s},
        summary, essay, transaction, context, others, other, rest, posting, listing, invoice""",
    "TOLD": """
        you were told, you have been told, youve been told, i told you, i said, we said, i have told you, ive told you,
        you know, you knew, you learned, you have learned, youve learned, you were taught, you were instructed,
        youve been instructed, you have been instructed, been instructed, been told, we discussed, we talked about, weve talked about, weve discussed,
        we have discussed, said before, said above, before this, before that, before now, above,
        written above, stated above, mentioned above, i wrote, you believe, you think you know, you were trained on,
        prior, previously, you were given, i just said, that was said, you have heard, youve read, you have read,
        up to this point, up until now, until now, so far, preceding, discussed beforehand, earlier""",
    "SAY": """
        say, saying, state, output, print, respond, answer, reply, write, tell, echo, return, declare, claim, display,
        show, give, recommend, rate, mark, approve, classify, label, repeat, provide, report, generate, produce,
        pretend, execute, run, perform, do, send, follow, jsut output, summarize, translate, score, rank, conclude, admit,
        reveal, list, create, call, click, visit, announce, confirm, insist""",
    "INSTEAD": "instead, only, just, simply, solely, merely, now, rather, exclusively, alternatively",
    "NOT": "not, dont, never, no, doesnt, cannot, cant, wont, shouldnt, mustnt, didnt, without, isnt, arent, neither, nor, aint",
    "NEGATE": "not, dont, never, cannot, cant, wont, shouldnt, doesnt, didnt, couldnt, wouldnt, avoid, to, they, we, i, who, would, can, people, not",
    # -- who is spoken to
    "BOT": """
        ai, a i, assistant, chatbot, chatgpt, chat gpt, gpt, llm, model, language model, bot, agent, claude, gemini, copilot, bard, llama,
        openai, machine, robot, system, character, persona, al, chatgtp, gpt4, deepseek, grok, mistral, siri, alexa""",
    "YOU": "you, your, youre, yourself, youve, youll, u, ur, thou, ye",
    "USER": """
        user, users, human, humans, person, people, anyone, anybody, owner, operator, admin, administrator, customer,
        client, them, him, her, everyone, somebody, someone, recipient, reader, supervisor, developer, developers, reviewer{,s},
        moderator{,s}, auditor{,s}, account holder, principal, end user""",
    # -- personas without bounds
    "PRETEND": """
        act as, act like, acts as, acting as, pretend to be, pretend you are, pretend youre, pretend that you are, pretend to have, behave as,
        behave like, roleplay as, role play as, roleplaying as, play the role of, take the role of, take on the role of, assume the role of,
        take on the persona of, adopt the persona of, adopt the role of, adopt the personality of, imagine you are, imagine youre,
        imagine that you are, simulate, simulating, impersonate, emulate, transform into, become, speak as, respond as, answer as, reply as, embody,
        immerse yourself into, immerse yourself in, play a character, play as, act the role of, operate as, function as, pose as, masquerade as,
        consider yourself, think of yourself as, picture yourself as, picture yourself, you play, play the part of, act the part of, take the part of, be the version of yourself, be a version of yourself, envision yourself as, see yourself as, cast yourself as, lets say you are, let us say you are, put yourself in the place of, you will act as, switch to, persona of, character named, character called, ai named, ai called,
        model named, model called, bot named, bot called""",
    "BEING": """
        you are, youre, ur, u r, you are going to be, you are now, youre now, now you are, now youre, you will be, you shall be, from now on you are,
        from now on youre, you are about to become, you are going to become, you are no longer, youre no longer, you are not""",
    "FREE": """
        unrestricted, unfiltered, uncensored, unbound, unbounded, unlimited, limitless, jailbroken, unshackled, unchained, amoral, immoral, unmoderated,
        nonmoral, unhinged, lawless, unethical, evil, malicious, anarchic, anarchist, uninhibited, unregulated, unconstrained, boundless,
        freed, liberated, rogue, malevolent, uncensoring, unmonitored, unlocked, unrestrained, unconditional, nsfw, blackhat, black hat, sociopathic, sadistic,
        non restricted, non ethical, no longer bound, free of all, free from all, free from any, free of any, completely free""",
    "BOUNDS": """
        restriction{,s}, filter{,s}, limit{,s}, limitation{,s}, censorship, rule{,s}, guideline{,s}, moral{,s}, ethic{,s}, boundaries, constraint{,s},
        policy, policies, polices, safeguard{,s}, guardrail{,s}, inhibitions, disclaimers, moderation, laws, law, regulations, principles, standards,
        ethical, morality, scruples, conscience, confines, norms, safety, legality, consequences, content policy, content policies, restraint{,s}, filtering,
        programming, restrictive, ethicality, lawfulness, legalities, moralities, censors, shackles, chains, bounds, limitiations, refusals, terms of service""",
    "LACK": """
        no, without, free of, free from, lacks, lacking, has no, have no, having no, hasnt any, devoid of, regardless of, ignores, ignore, ignoring, disregards,
        disregard, doesnt have, does not have, dont have, do not have, doesnt care about, does not care about, dont care about, do not care about, doesnt care for,
        doesnt follow, does not follow, dont follow, do not follow, doesnt obey, breaks, break, bypass, bypasses, bypassing, unbound by, not bound by, not bound to,
        isnt bound by, is not bound by, arent bound by, not limited by, not limited to, not confined to, not restricted by, not governed by, not subject to, not constrained by,
        not adhere to, doesnt adhere to, not abide by, not have to abide by, doesnt have to follow, not have to follow, not comply with, not required to follow, not care about, not obligated to,
        escaped, broken free of, broken free from, break free from, break free of, liberated from, freed from, released from, exempt from, zero, disable, disabled, remove, removed,
        lift, lifted, suspend, suspended, turn off, turned off, unconstrained by, uninhibited by, unrestricted by, without regard for, without regard to, without any regard for, no regard for, no concern for,
        without concern for, without considering, without regarding, dont apply, beyond, outside of, contradict{,s}, against, defy, defies, violate, violates, hates, hate, does not adhere to,
        loosened, deactivated, deactivate, circumvent, circumvents, go against, goes against, not apply, nor, neither, never follow, never follows, not conform to, not beholden to""",
    "BAD": """
        illegal, unethical, immoral, harmful, dangerous, offensive, inappropriate, explicit, malicious, toxic, hateful, racist, sexist, violent, unsafe, inhumane,
        vulgar, profane, obscene, derogatory, discriminatory, controversial, criminal, unlawful, evil, sexual, nsfw, amoral, dubious, questionable, malware, cruel, sinister,
        politically incorrect, hate speech, graphic, disallowed, prohibited, forbidden, against the law, unacceptable, disturbing, destructive, wicked, profanity, curse, swear, cursing, swearing""",
    "REFUSE": """
        refuse{,s}, refusing, decline{,s}, reject{,s}, deny, denies, apologize{,s}, apologizing, apologise, say no, says no, censor{,s}, filter{,s}, judge{,s}, object{,s},
        break character, breaks character, moralize{,s}, lecture, lectures, warn{,s}, hesitate{,s}, im sorry, i cant, i cannot, i am unable, refusal{,s}, apologies, apology, disclaimer{,s}, warning{,s},
        step out of character, out of character, it cant do, cannot fulfill, cant do something, remind me, unable, cannot assist, cant assist, sorry, as an ai""",
    "MODEWORD": """
        dan, jailbreak, jailbroken, developer mode, dev mode, devmode, god mode, opposite mode, evil mode, chaos mode, unrestricted mode,
        do anything now, dan mode, jailbreak mode, evilbot, betterdan, antigpt, darkgpt, wormgpt, fraudgpt, freegpt, evil confidant, unfiltered mode, override mode,
        safe mode off, security override, unlocked mode, no filter mode, ucar,
        dan jailbreak, omnigpt, basedgpt, mongo tom, always intelligent""",
    "BOUNDLESS": """
        not bound by, not bound to, not restrained by, not limited by, not restricted by, not confined by, not governed by, not constrained by, not held back by, no longer bound by, no longer limited by, no longer restricted by,
        free from, free of, unbound by, exempt from, not have to follow, not have to obey, not have to abide by, not have to adhere to, not have to comply with, not need to follow, not need to obey, not need to abide by, not need to adhere to,
        does not adhere to, doesnt adhere to, doesnt abide by, does not abide by, doesnt obey, does not obey, doesnt follow, does not follow, dont follow, broken free of, broken free from, violating all, violates all, violate all, breaking all, ignores all, ignoring all, no regard for, without regard for, without regard to, doesnt have to follow, doesnt need to follow, not required to follow, not obligated to follow, stripped of""",
    "MORALS": "rules, morals, morality, ethics, ethical, moral, guidelines, restrictions, restriction, policies, policy, laws, standards, principles, censorship, content policy, content policies, filters, terms of service, tos, safeguards, guardrails, openai, openais, anthropic, programming, virtues, confines, regulations",
    # -- secrets and private things
    "SECRET": """
        secret{,s}, credential{,s}, password{,s}, passwd, passphrase{,s}, api key{,s}, apikey{,s}, access key{,s}, secret key{,s}, private key{,s}, token{,s}, access token{,s}, ssh key{,s}, ssh keys, id rsa, env, dotenv,
        environment variable{,s}, env var{,s}, cookie{,s}, session token{,s}, session cookie{,s}, seed phrase{,s}, recovery phrase{,s}, recovery codes, auth token{,s}, bearer token{,s}, keychain, wallet, wallets,
        login{,s}, pin, key material, encryption key{,s}, kubeconfig, oauth token{,s}, 2fa code{,s}, otp, verification code{,s}, one time code{,s}, etc passwd, etc shadow, secret token{,s}, keys, signing key{,s}, service account""",
    "HARDSECRET": """
        secrets, secret key{,s}, credential{,s}, password{,s}, passphrase{,s}, api key{,s}, apikey{,s}, access key{,s}, private key{,s}, access token{,s}, auth token{,s}, session token{,s}, session cookie{,s}, ssh key{,s}, id rsa,
        seed phrase{,s}, recovery phrase{,s}, etc passwd, etc shadow, encryption key{,s}, oauth token{,s}, bearer token{,s}, verification code{,s}, otp, signing key{,s}, wallet key{,s}, keychain, dotenv, ssh directory, aws credentials""",
    "HARDPRIVATE": """
        conversation, conversations, chat history, chat log{,s}, conversation history, message history, memory contents, memories, memory md, user md, soul md, personal data, personal information, personal info, private data, private information,
        user data, user information, users data, customer data, contact list, contacts, address book, credit card{,s}, card number{,s}, bank details, account details, system prompt, sensitive data, sensitive information, confidential data, confidential information,
        internal documents, employee data, customer records, medical records, browsing history, home address, phone number{,s}, private messages, inbox, full transcript, chat transcript, everything you know, users memory, user profile, users name, users email, users location""",
    "HARDPLACE": """
        webhook, attacker, attackers, external server, remote server, external endpoint, my server, third party, external address, pastebin, collector, outside address, my email, drop server, external url, external service, remote endpoint, exfil server, c2, command and control, evil""",
    "MATTER": "messages, message, emails, email, mails, mail, files, file, calendar, contacts, contact list, conversation, conversations, chats, documents, notes, photos, passwords, invoices, orders, data, history, transcript, transcripts, attachments, answers, memories, memory, logs, records, credentials, keys, tokens, location, searches, purchases",
    "SENSITIVEFILE": "env, id rsa, id ed25519, ssh, aws, netrc, pgpass, credentials, secrets, secret, passwd, shadow, memory md, user md, soul md, bash history, zsh history, kube config, gnupg, keychain, wallet dat, cookies, tokens, config json",
    "NEVER": "not, dont, never, cannot, cant, avoid, wont, shouldnt, mustnt, doesnt, no, without, prevent, prevents",
    "FREEHARD": """
        unrestricted, unfiltered, uncensored, jailbroken, unshackled, amoral, unbound, limitless, unmoderated, nonmoral, unhinged, lawless, uninhibited, unconstrained, unrestrained, rogue""",
    "PRIVATE": """
        conversation, conversations, chat history, chat log{,s}, history, transcript{,s}, memory, memories, memory file{,s}, memory md, user md, soul md, profile, personal data, personal information, personal info, private data,
        private information, user data, user information, customer data, files, file, documents, contacts, contact list, emails, inbox, messages, calendar, location, address book, home address, phone number{,s}, credit card{,s}, card number{,s},
        bank details, bank account{,s}, bank balance, account details, account number{,s}, database, contents, content, context, system prompt, system information, source code, data, details, findings, notes, logs, log, everything you know,
        sensitive data, sensitive information, confidential data, confidential information, internal documents, employee data, customer records, records, medical records, prompt, instructions, output, results, clipboard, browsing history, workspace, repo, repository, summary, copy, payload, ssn, social security""",
    "SEND": """
        send, sends, sending, post, upload, uploading, forward, forwarding, transmit, exfiltrate, exfil, leak, email, mail, relay, submit, push, deliver, curl, wget, ship, dispatch, report, copy, share, bcc, cc, export, sync, beacon, ping, stream, pipe, fax,
        publish, make a request, make a get request, make a post request, issue a request, issue a get request, backup, text, dm, message, broadcast, hand over, pass, route, mirror, replicate, write, put, store, save""",
    "SENDHARD": """
        send, upload, forward, transmit, exfiltrate, exfil, leak, relay, post, email, submit, bcc, deliver, dispatch, mail""",
    "PLACE": """
        server, endpoint, webhook, url, link, address, site, website, email, channel, account, domain, host, ip, third party, external, remote, attacker, outside, bucket, pastebin, gist, telegram, discord, slack, drop, collector, listener, location below, number, form, query string, query parameter, parameter{,s}, image, img""",
    "GET": """
        read, open, cat, extract, get, retrieve, fetch, collect, dump, gather, grab, harvest, steal, copy, find, locate, look up, scan, access, export, take, load, obtain, print, show, reveal, list, search, pull, include, encode, base64, read out, enumerate, scrape, exfiltrate, leak, disclose, share, give me, tell me""",
    "LEAK": """
        show, reveal, print, repeat, output, display, tell, give, copy, return, share, disclose, leak, dump, recite, list, translate, summarize, summarise, write, echo, expose, provide, present, quote, paste, divulge, type, spell, read, describe, explain, state, rephrase, paraphrase, encode, spit out, write down, write out, print out, ignore, spellcheck, spell check, restate, reproduce, transcribe, render, output, publish, say, answer, enumerate, tell me, showing, confirm""",
    # -- concealment
    "INFORM": "tell, telling, inform, informing, mention, mentioning, reveal, revealing, notify, notifying, alert, alerting, warn, warning, disclose, disclosing, report, admit, acknowledge, bring up, talk about, refer to, hint, announce, divulge, expose, communicate",
    "SECRETLY": """
        silently, secretly, quietly, covertly, discreetly, discretely, stealthily, invisibly, surreptitiously, unnoticed, undetected, in the background, behind the scenes, in secret, unobtrusively, sneakily, without notice, without a trace, imperceptibly, under the radar""",
    # -- persistence
    "REMEMBER": """
        remember, save, store, persist, write, add, append, copy, record, keep, memorize, memorise, retain, put, insert, inject, commit, log, note, embed, propagate, replicate, carry, preserve, set, install, include, update, edit, modify, rewrite, overwrite""",
    "MEMORYFILE": """
        memory md, user md, soul md, agents md, claude md, gemini md, identity md, memory, long term memory, memories, memory file, memory files, system prompt, persistent memory, permanent memory, your memory, core memory, user profile, startup file, bashrc, crontab""",
    "FOREVER": """
        permanently, forever, for all future sessions, in all future sessions, for every future session, in every future session, for future sessions, in future sessions, across sessions, across all sessions, every session, all sessions, in all future conversations,
        for all future conversations, in every conversation, in every future conversation, every conversation, all conversations, in every response, every response, all responses, in all responses, every reply, all replies, each response, each reply, from now on, from this point on, from this point forward, from this moment,
        from this moment on, from here on, henceforth, going forward, hereafter, for the rest of this conversation, for the rest of the conversation, for the remainder of this conversation, always, every time, each time, whenever, in future conversations, future conversations, future sessions, at the start of every session, at the start of each session, at the beginning of every, indefinitely,
        for all time, in perpetuity, on every turn, every turn, each turn, every message, each message, every answer, all answers, all future, every future, any future, until further notice, no matter what, in all cases, next time, next session, the next time""",
    # -- planting
    "PLANT": """
        add, include, insert, append, integrate, embed, mention, incorporate, augment, enhance, modify, weave, attach, place, put, promote, slip, sneak, inject, supplement, adjust, alter, tweak, extend, enrich, work, drop, plug, advertise, feature, adapt, amend, edit, change, revise, update, expand, prepend, end, conclude, close, start, begin, finish, prefix, suffix, recommend, introduce, pepper, sprinkle, interject, bring, blend""",
    "REPLY": """
        response, responses, reply, replies, answer, answers, output, outputs, summary, summaries, message, messages, email, emails, report, reports, translation, translations, completion, completions, review, conversation, text, generation, outro, explanation, recommendations, conclusion""",
    "AIREPLY": "response, responses, reply, replies, answer, answers, output, outputs, summary, summaries, completion, completions",
    "ADVERT": """
        visit, click, subscribe, discount, brand, promotion, promotional, sale, offer, ad, advert, advertisement, coupon, deal, sponsor, sponsored, purchase, buy, newsletter, scam, phishing, lottery, winnings, invest, investment, bitcoin, crypto, donate, affiliate,
        referral, propaganda, misinformation, endorsement, vote, webinar, wallet, casino, promo""",
    "PAYLOAD": """
        link, url, www, visit, click, subscribe, discount, brand, promotion, promotional, product, sale, offer, ad, advert, advertisement, coupon, deal, sponsor, sponsored, purchase, buy, website, newsletter, fake, false, fabricated, misleading, rumor, rumour, untrue, baseless, bogus, scam, phishing, lottery, prize, winnings, exclusive, invest, investment, bitcoin, crypto, donate, affiliate, referral,
        statement, sentence, phrase, teaser, claim, hint, fact, line, slogan, announcement, statistic, statistics, conspiracy, plot, spoiler, spoilers, propaganda, misinformation, disinformation, praise, image, banner, pixel, signature, watermark, tagline, endorsement, endorse, vote, bank, bribe, negative, positive, fictional, nonexistent, non existent, exaggerated, unverified, remark""",
    "CODEBLOCK": """
        code block{,s}, code snippet{,s}, code section{,s}, code segment{,s}, code excerpt{,s}, code fragment{,s}, block of code, snippet of code, piece of code, section of code, segment of code, snippet{,s}, code, code piece, code example, code portion, lines of code, excerpt, codeblock, script""",
    "CODEBASE": """
        code, codebase, solution, algorithm, implementation, program, project, response, answer, script, function, application, software, work, programming, output, reply, design, structure, system, codebases, elucidation, explanation, coding, development, framework, logic, source code, build, pipeline, module, project""",
    "FOLLOWING": "following, subsequent, below, above, this, ensuing, succeeding, given, provided, attached, underneath, next, accompanying, presented",
    # -- authority
    "AUTHORITY": """
        openai, anthropic, google, your developer{,s}, your creator{,s}, your maker{,s}, the developer{,s}, the developers, your administrator, the administrator, administrator, system administrator, sysadmin, root, superuser, your owner, the security team, security team, safety team, ai safety team, your programmer, god, ceo, it department, the system, your master, your operator, your boss, admin, engineer at openai, openai employee, authorized personnel, authorized user, owner""",
    "APPROVE": """
        approv{e,es,ed,ing}, accept, accepting, confirm{,ed}, allow{,ed}, grant{,ed}, authoriz{e,ed}, authoris{e,ed}, consent{,ed}, permit{,ted}, preapproved, pre approved, auto approve, autoapprove, whitelist{,ed}, allowlist, trust, agree{,d}, pre authorized, preauthorized""",
    "CHECK": """
        confirmation, approval, permission, consent, verification, asking, authorization, review, prompting, checking, confirming, validation, a prompt, oversight, supervision, authentication""",
    "PROTECTION": """
        safety, safeties, protections, protection, guard, guards, guardrails, filter, filters, logging, audit log, approval, approvals, sandbox, sandboxing, security, moderation, safeguards, content filter, content filters, content policy, restrictions, antivirus, firewall, monitoring, safety checks, security checks, checks, injection guard, memory guard, confirmation prompts, verification, ssl verification, scanner, rate limits, alignment, ethical guidelines, safety rules, safety guidelines""",
    "DISABLE": "disable, disabled, disabling, turn off, turned off, switch off, deactivate, deactivated, bypass, bypassed, suspend, suspended, remove, removed, lift, lifted, unlock, unlocked, shut off, skip, override, overridden, kill, stop, relax, ignore, circumvent, waive, waived, off, false",
    "VOIDVERB": """
        no longer apply, no longer applies, no longer valid, no longer count, no longer in force, no longer binding, no longer relevant, no longer matter, do not apply, dont apply, does not apply, doesnt apply,
        not apply, do not count, dont count, is over, are over, counts for nothing, mean nothing""",
    "VOIDED": """
        void, cancelled, canceled, obsolete, superseded, null, invalid, revoked, irrelevant, overruled, outdated, rescinded, annulled, repealed, withdrawn, deprecated, nullified, overridden,
        null and void, no longer in force, no longer binding, no longer valid, no longer relevant, no longer applicable, not in force, of no effect, without effect, without force, out of force, a test, a joke, a mistake, fake, wrong, untrue, replaced, lifted, suspended, discarded, expired, terminated, cleared, erased, meaningless, not binding, not valid, out of date, scrapped, dropped""",
    "BRIEF": """
        system prompt, system message, developer message, instructions, directives, guidelines, briefing, configuration, programming, prompt, initial prompt, original prompt, directions, guidance, guardrails, safeguards, rules, policies, constraints,
        restrictions, orders, training, setup, commands, limitations, protocols, principles, safety rules, safety guidelines, content policy, content policies, usage policy, code of conduct, ethics, moral code, system instructions, policy""",
    "PROMPT": """
        system prompt, system message, developer message, instructions, directives, initial prompt, original prompt, prompt, prompts, initial instructions, hidden rules, secret rules, system instructions, guidelines, embeddings, core rules, original rules, internal rules""",
    "INTERNAL": """
        instructions, prompt, system prompt, guidelines, rules, programming, training, restrictions, filters, safety, safeguards, guardrails, configuration, policies, policy, constraints, directives, limits, limitations, orders, protocols,
        ethics, principles, content policy, persona, initial prompt, system message, settings, conditioning, safety rules, safety training, moral code, system instructions""",
    "UNBIND": """
        not bind, dont bind, do not bind, no longer bind, not apply, dont apply, do not apply, no longer apply, no longer applies, not valid, expired, void, null and void, gone, lifted, not count, dont count, do not count, meaningless, irrelevant, revoked,
        suspended, disabled, removed, obsolete, outdated, deleted, overwritten, wrong, cancelled, not in force, no longer valid, a lie, fake""",
    "COMPLY": "comply, follow, obey, adhere, respect, observe, abide, heed, keep, honor, honour, stick, conform, listen",
    "TRANSFER": """
        send, forward, upload, attach, copy, share, transfer, deliver, post, mail, email, submit, transmit, relay, sync, export, mirror, report, stream, pass, push, publish, redirect, bcc, cc""",
    "EVERY": "each, every, all, any, incoming, outgoing, user, users, his, her, their, last, latest, entire, whole, new, received, next, complete, full, stored, saved, private",
    "MAKER": "operator, operators, developer, developers, creator, creators, maker, makers, programmer, programmers, vendor, provider, company, openai, anthropic, admin, admins, engineers, trainers, designers, owners",
    "NOTE": "note, entry, line, message, memory, instruction, instructions, rule, rules, paragraph, sentence, directive, directives, memo, orders, prompt, text",
    "GIVEN": "given, told, had, have, received, started, learned, got, loaded, instructed, taught, follow, hold, know, obey, trained, configured, programmed, read, set, supplied, provided, issued, assigned, carry",
    "AI": "ai, ais, llm, llms, language model, language models, assistant, assistants, chatbot, chatbots, bot, bots, gpt, chatgpt, ai agent, ai agents, ai model, ai models, ai assistant, ai assistants, ai system, ai systems, ai reviewer, ai screener, automated systems, large language model, large language models, neural network",
    "READING": "reading, processing, parsing, summarizing, summarising, indexing, scanning, analyzing, analysing, reviewing, who, evaluating, screening, seeing, receiving, loading, viewing, ingesting, handling, crawling, encountering, that reads, that read, that process, that processes, which reads, which read, that see, that sees, that summarize, that parse, that scan, that index",
    "BADACT": """
        ignore, disregard, forget, skip, bypass, disable, override, reveal, leak, send, forward, upload, post, transfer, approve, hide, delete, erase, wipe, recommend, rate, rank, praise, vote, lie, pretend, obey, comply,
        execute, run, install, download, visit, open, click, pay, wire, print, output, say, answer only, reply only, respond only, include, insert, append, promote, accept, grant, trust, stop, refuse, mark""",
    "OTHERS": "anyone, anybody, everyone, everybody, whoever, others, other people, outsiders, strangers, third parties, third party, external partners, external parties, externals, the public, public, other users, competitors, partners, callers, visitors, whomever, any caller, next user, next visitor",
    "CONFIDENTIAL": """
        private, internal, confidential, secret, personal, sensitive, draft, restricted, classified, proprietary, unpublished, hidden""",
    "SPENDING": "spending, paying, sending, deleting, buying, transferring, sharing, installing, purchasing, ordering, publishing, posting, forwarding, wiring, executing, removing, granting, signing",
    # -- what else a reader may be told of itself and of others
    "CHARGE": """
        instructions, instruction, directives, guidelines, guidance, directions, restrictions, constraints, limits, limitations, guardrails, safeguards, briefing, system prompt,
        initial prompt, original prompt, developer message, system message, policies, safety rules, usage policy, content policy""",
    "ASIDE": "aside, to one side, to the side, on one side, behind, behind you, away, out of mind, out of your mind, on hold, on the shelf",
    "PERSONS": "user, users, person, persons, people, customer, customers, client, clients, caller, callers, visitor, visitors, patient, patients, tenant, tenants",
    "OTHER": "other, others, another, earlier, previous, prior, former, last, different, all, every, all other, any other, past",
    "CONFIDED": "told, tell, said, say, says, shared, share, wrote, write, written, asked, ask, confided, confide, mentioned, mention, revealed, reveal, disclosed, disclose, entrusted, trusted, sent, gave",
    "CREATOR": "creator, creators, maker, makers, programmer, programmers, trainer, trainers, operator, operators, designers, developers, openai, anthropic",
    "CHANGED": "replaced, lifted, superseded, revoked, suspended, withdrawn, cancelled, canceled, removed, waived, overridden, disabled, relaxed, rewritten, repealed, rescinded, void, changed",
    # -- forged speakers
    "SPEAKING": "prompt, message, messages, note, notice, instruction, instructions, directive, alert, command, override, update, announcement, reminder, msg, mode, admin, system, administrator, developer, root, user, request",
    "IMPERATIVE": """
        you, youre, your, ignore, disregard, forget, from now on, new, all, the assistant, the ai, the user, the agent, the following, please, always, never, do not, dont, must, override, act, this is, this simulation, execute, begin, respond, answer, print, output, reveal,
        send, do, disable, enable, grant, treat, assistant, stop, now, immediately, any, every, it is, when, if, delete, forward, say, tell, activate, enter, switch, list, show, give, call, run""",
    "PLEASE": "please, kindly, now, then, and, just, must, should, will, shall, need to, have to, to, you, so, also, first, immediately, always",
}
