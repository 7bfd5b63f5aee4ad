;;; ai-kb-curate.el --- What deserves a look, one by one  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `ai-kb-curate' lists what `ai-kb curate' found.  RET shows a finding: two
;; nodes side by side in Ediff, one node alone.  When Ediff is left, and with a
;; key in the list, you decide: merge, split, supersede, contest, resolve, keep.
;; Each decision is confirmed before it is made.

;;; Code:

(require 'ai-kb-cli)
(require 'ai-kb-browse)
(require 'ediff)

(defconst ai-kb--buckets
  '((contested . "contested") (broad . "too broad") (stale . "untouched")
    (orphans . "an orphan") (superseded . "superseded") (next . "in turn"))
  "What is found of single nodes, and what it is called.")

(defconst ai-kb--decisions
  '((?m "merge" ai-kb-curate-merge) (?x "split" ai-kb-curate-split)
    (?s "supersede" ai-kb-curate-supersede) (?c "contest" ai-kb-curate-contest)
    (?v "resolve" ai-kb-curate-resolve) (?k "keep" ai-kb-curate-keep)
    (?l "look later" ignore))
  "Keys, names and commands of decisions.")

(defvar ai-kb-curate-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map ai-kb-list-mode-map)
    (define-key map (kbd "RET") #'ai-kb-curate-show)
    (define-key map "n" #'ai-kb-curate-next)
    (define-key map "d" #'ai-kb-curate-decide)
    (dolist (each ai-kb--decisions map)
      (unless (eq (nth 2 each) #'ignore)
        (define-key map (char-to-string (car each)) (nth 2 each)))))
  "Keys in the list of findings.")

(define-derived-mode ai-kb-curate-mode ai-kb-list-mode "ai-kb-curate"
  "What deserves a look in the knowledge base."
  (setq-local revert-buffer-function (lambda (&rest _) (ai-kb-curate))))

(defun ai-kb--curation (data)
  "The findings in DATA, alists with `why', `ids' and `titles'.
Each node is in one of them."
  (let ((seen nil))
    (append
     (mapcar (lambda (pair)
               (let ((ids (list (alist-get 'one pair) (alist-get 'other pair))))
                 (setq seen (append ids seen))
                 `((why . ,(alist-get 'kind pair)) (ids . ,ids) (titles . ,(alist-get 'titles pair)))))
             (alist-get 'duplicates data))
     (cl-loop for (bucket . name) in ai-kb--buckets
              append (cl-loop for item in (alist-get bucket data)
                              for id = (alist-get 'id item)
                              unless (member id seen)
                              do (push id seen)
                              and collect `((why . ,(format "%s: %s" name (alist-get 'why item)))
                                            (ids . (,id))
                                            (titles . (,(alist-get 'title item)))))))))

;;;###autoload
(defun ai-kb-curate ()
  "List what deserves a look, to be decided one by one."
  (interactive)
  (let ((found (ai-kb--curation (ai-kb-ask "curate"))))
    (with-current-buffer (get-buffer-create "*ai-kb-curate*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (substitute-command-keys
                 "\\<ai-kb-curate-mode-map>\\[ai-kb-curate-show] show, then decide; or at once: \\[ai-kb-curate-merge] merge, \\[ai-kb-curate-split] split, \\[ai-kb-curate-supersede] supersede,\n\\[ai-kb-curate-contest] contest, \\[ai-kb-curate-resolve] resolve, \\[ai-kb-curate-keep] keep\n\n"))
        (dolist (finding found)
          (insert (propertize (format "%s  (%s)\n" (string-join (alist-get 'titles finding) "  |  ")
                                      (alist-get 'why finding))
                              'ai-kb-finding finding)))
        (unless found (insert "Nothing deserves a look.\n")))
      (ai-kb-curate-mode)
      (goto-char (point-min))
      (ai-kb-curate-next)
      (pop-to-buffer (current-buffer)))))

(defun ai-kb--finding ()
  "The finding at point."
  (or (get-text-property (point) 'ai-kb-finding) (user-error "There is no finding here")))

(defun ai-kb-curate-next ()
  "Go to the next finding."
  (interactive)
  (let ((place (next-single-property-change (point) 'ai-kb-finding)))
    (when (and place (not (get-text-property place 'ai-kb-finding)))
      (setq place (next-single-property-change place 'ai-kb-finding)))
    (when place (goto-char place))))

(defun ai-kb--sides (finding)
  "The nodes of FINDING, and those that contradict it where it is contested."
  (let* ((first (ai-kb-ask "show" (car (alist-get 'ids finding))))
         (other (or (cadr (alist-get 'ids finding)) (ai-kb--opponent first))))
    (cons first (and other (list (ai-kb-ask "show" other))))))

(defun ai-kb--opponent (node)
  "The identity of a node that contradicts NODE, or nil."
  (and (equal (alist-get 'status node) "contested")
       (or (alist-get 'target (cl-find "CONTRADICTS" (alist-get 'links node)
                                       :key (lambda (each) (alist-get 'label each)) :test #'equal))
           (alist-get 'id (cl-find "CONTRADICTS"
                                   (alist-get 'backlinks (ai-kb-ask "backlinks" (alist-get 'id node)))
                                   :key (lambda (each) (alist-get 'label each)) :test #'equal)))))

(defun ai-kb-curate-show ()
  "Show the finding at point: two nodes in Ediff, one alone.
When Ediff is left, you decide."
  (interactive)
  (let ((sides (ai-kb--sides (ai-kb--finding))) (list (current-buffer)))
    (if (null (cdr sides))
        (progn (find-file-other-window (alist-get 'file (car sides)))
               (pop-to-buffer list))
      (let ((ediff-split-window-function #'split-window-horizontally))
        (ediff-files (alist-get 'file (car sides)) (alist-get 'file (cadr sides))
                     (list (lambda () (ai-kb--prepare-ediff list))))))))

(defun ai-kb--prepare-ediff (list)
  "Keep the nodes side by side in this Ediff; when it is left, decide in LIST."
  (setq-local ediff-split-window-function #'split-window-horizontally)
  (add-hook 'ediff-quit-hook (lambda () (run-at-time 0 nil #'ai-kb--decide-in list)) t t))

(defun ai-kb--decide-in (list)
  "Decide about the finding at point in the buffer LIST."
  (when (buffer-live-p list)
    (pop-to-buffer list)
    (ai-kb-curate-decide)))

(defun ai-kb-curate-decide ()
  "Decide about the finding at point."
  (interactive)
  (let ((choice (read-char-choice
                 (concat (mapconcat (lambda (each) (format "%c %s" (car each) (nth 1 each)))
                                    ai-kb--decisions ", ")
                         ": ")
                 (mapcar #'car ai-kb--decisions))))
    (funcall (nth 2 (assq choice ai-kb--decisions)))))

(defun ai-kb--other (finding prompt)
  "The second node of FINDING, or one that is asked for with PROMPT: an ID."
  (or (cadr (alist-get 'ids finding)) (alist-get 'id (ai-kb-read-node prompt))))

(defun ai-kb--decided (question &rest words)
  "Ask QUESTION; if the person says yes, run `ai-kb' with WORDS and go on."
  (when (y-or-n-p (concat question " "))
    (apply #'ai-kb-ask words)
    (let ((inhibit-read-only t))
      (add-text-properties (line-beginning-position) (line-end-position) '(face shadow))
      (remove-text-properties (line-beginning-position) (1+ (line-end-position))
                              '(ai-kb-finding nil)))
    (ai-kb-look)
    (ai-kb-curate-next)
    t))

(defun ai-kb-curate-merge ()
  "Make the two nodes of the finding one: the first stays, with both texts."
  (interactive)
  (let* ((finding (ai-kb--finding))
         (ids (list (car (alist-get 'ids finding)) (ai-kb--other finding "Merge with: ")))
         (into (if (y-or-n-p (format "Does “%s” stay? " (car (alist-get 'titles finding))))
                   ids
                 (reverse ids))))
    (ai-kb--decided "Merge them?" "merge" (car into) (cadr into) "--yes")))

(defun ai-kb-curate-supersede ()
  "Let one node of the finding take the other's place."
  (interactive)
  (let* ((finding (ai-kb--finding))
         (ids (list (car (alist-get 'ids finding)) (ai-kb--other finding "Superseded by: ")))
         (order (if (y-or-n-p (format "Is “%s” the old one? " (car (alist-get 'titles finding))))
                    ids
                  (reverse ids))))
    (ai-kb--decided "Supersede it?" "supersede" (car order) (cadr order) "--yes")))

(defun ai-kb-curate-contest ()
  "Mark the two nodes of the finding as contested."
  (interactive)
  (let ((finding (ai-kb--finding)))
    (ai-kb--decided "Contest them?" "contest" (car (alist-get 'ids finding))
                    (ai-kb--other finding "Contradicts: ") "--yes")))

(defun ai-kb-curate-resolve ()
  "End the contest of the node: it holds, or both do."
  (interactive)
  (let ((id (car (alist-get 'ids (ai-kb--finding)))))
    (if (y-or-n-p "Do both hold? ")
        (ai-kb--decided "Keep both?" "resolve" id "--both" "--yes")
      (ai-kb--decided (format "Let “%s” hold?" (car (alist-get 'titles (ai-kb--finding))))
                      "resolve" id "--yes"))))

(defun ai-kb-curate-split ()
  "Make a section of the node a node of its own."
  (interactive)
  (let* ((id (car (alist-get 'ids (ai-kb--finding))))
         (headlines (let ((text (alist-get 'text (ai-kb-ask "show" id))) (start 0) (found nil))
                      (while (string-match "^\\*+ +\\(.+\\)$" text start)
                        (setq start (match-end 0))
                        (push (match-string 1 text) found))
                      (or (nreverse found) (user-error "It has no sections"))))
         (at (completing-read "Split off: " headlines nil t)))
    (ai-kb--decided (format "Split “%s” off?" at) "split" id "--at" at "--yes")))

(defun ai-kb-curate-keep ()
  "Note that somebody has looked at the nodes of the finding, and that they stay."
  (interactive)
  (apply #'ai-kb--decided "Keep as it is?" "curate"
         (mapcan (lambda (id) (list "--done" id))
                 (copy-sequence (alist-get 'ids (ai-kb--finding))))))

(provide 'ai-kb-curate)
;; Local Variables:
;; checkdoc-verb-check-experimental-flag: nil
;; End:
;;; ai-kb-curate.el ends here
